import { z } from 'zod';
import { packReference } from './references.js';
import { defineTool, FilePath, optionWords } from './tool.js';

const CHECKS = 7;
/** `cheats            12 trials`, and later `cheats            3 of 12 trials` */
const isCheck = (line: string): boolean => / {2,}(?:\d+ of )?\d+ trials?$|^the audit /.test(line);
const isBegun = (line: string): boolean => !/\d+ of \d+ trials?$/.test(line);

export const validate = defineTool({
  title: 'Validate challenge packs',
  description:
    'Checks a challenge pack (a YAML file) offline and shows all of its problems at once, with line and column. Do this after each edit.',
  input: z.strictObject({
    pack: FilePath.describe('the file of the pack'),
    strict: z.boolean().optional().describe('treat warnings as errors'),
    on_server: z
      .boolean()
      .optional()
      .describe('let the server check, which also knows tools and secrets of the workspace'),
  }),
  isReadOnly: true,
  async call({ pack, strict, on_server }, { folders, command }) {
    const file = await folders.existing(pack);
    const words = ['challenge-pack', 'validate', ...optionWords({ strict, remote: on_server }), '--', file];
    const ended = await command(words);
    const next = ended.code === 0 ? [`audit {"pack": "${pack}"} finds graders that can be cheated`] : [];
    return { ended: [ended], next };
  },
});

export const audit = defineTool({
  title: 'Audit a challenge pack',
  description:
    'Tries whether a pack can be trusted: solutions must pass, idle agents and more than a hundred cheats must not, planted defects must be noticed. ' +
    'A file runs in sandboxes of this machine and takes minutes (quick: less); SLUG@VERSION runs on the server. Exit code 0: passed, 1: failed, 3: incomplete.',
  input: z.strictObject({
    pack: FilePath.describe('a file, or a published version as SLUG or SLUG@VERSION'),
    quick: z.boolean().optional().describe('try fewer cases, repetitions and mutants'),
  }),
  isReadOnly: false,
  async call({ pack, quick }, { folders, command, progress, signal }) {
    const found = await packReference(pack, folders);
    progress.expect(CHECKS);
    const isProgress = (line: string) => {
      if (isCheck(line)) progress.at(line.trim(), isBegun(line));
      return isCheck(line) || line.startsWith('Ctrl-C ');
    };
    const of = 'file' in found ? found.file : pack;
    const words = ['challenge-pack', 'audit', ...optionWords({ quick }), '--', of];
    const ended = await command(words, { isProgress, isOfFiles: 'file' in found });
    if (!signal.aborted || 'file' in found) return { ended: [ended] };
    const cancelled = await command(['challenge-pack', 'audit', '--cancel', '--', of], { isFinal: true });
    return { ended: [ended, cancelled] };
  },
});

export const publish = defineTool({
  title: 'Publish a challenge pack',
  description:
    'Stores a pack on the server as an immutable version; repeated, it changes nothing. Needs a server (agentclash login, or agentclash up).',
  input: z.strictObject({
    pack: FilePath.describe('the file of the pack'),
    strict: z.boolean().optional().describe('treat warnings as errors'),
    require_audit: z
      .boolean()
      .optional()
      .describe('audit it on this machine first, and publish nothing where it does not pass'),
  }),
  isReadOnly: false,
  async call({ pack, strict, require_audit }, { folders, command, progress }) {
    const file = await folders.existing(pack);
    const options = optionWords({ strict, 'require-audit': require_audit });
    const isProgress = (line: string) => {
      if (isCheck(line)) progress.at(line.trim(), isBegun(line));
      return isCheck(line);
    };
    const ended = await command(['challenge-pack', 'publish', ...options, '--', file], { isProgress });
    const next =
      ended.code === 0
        ? [
            'run {"pack": SLUG, "deployments": [NAME, …]} races on it; apply {"file": FILE} stores agents that the server lacks',
          ]
        : [];
    return { ended: [ended], next };
  },
});

export const apply = defineTool({
  title: 'Store agents on the server',
  description:
    'Creates everything of a deployment file that the server lacks (deployments, provider accounts, model aliases, tools), and revises by name what differs. ' +
    'Needs a server. Runs of published packs name these deployments.',
  input: z.strictObject({ file: FilePath.describe('the deployment file, as the run of a file reads it') }),
  isReadOnly: false,
  async call({ file }, { folders, command }) {
    const ended = await command(['apply', ...optionWords({ file: await folders.existing(file) })]);
    const next = ended.code === 0 ? ['run {"pack": SLUG, "deployments": [NAME, …]} races them'] : [];
    return { ended: [ended], next };
  },
});
