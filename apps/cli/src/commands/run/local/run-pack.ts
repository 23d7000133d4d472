import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { suggestedName } from '@agentclash/challengepack';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../../../command-error.js';
import { Interrupt } from '../../../follow/interrupt.js';
import { warningLine } from '../../../follow/run-end.js';
import { installedVersion } from '../../../installed-version.js';
import { asApiError } from '../../../lookup/as-api-error.js';
import type { Session } from '../../../session/session.js';
import { plural } from '../../../terminal/figures.js';
import { oneLine } from '../../../terminal/printable.js';
import { readLocalPack } from '../../challenge-pack/read-local-pack.js';
import { conductRun, type Interrupted, withSandboxesOf } from './conduct-run.js';
import { readLocalAgents } from './local-agents.js';
import { openResults } from './open-results.js';
import { secretValues } from './secret-values.js';
import { showLocalEnd } from './show-local-end.js';

export interface LocalRunInput {
  pack?: string;
  agents?: string;
  inputSet?: string;
  deployment?: string[];
  lineup?: string;
  variant?: string[];
  case?: string[];
  repetitions?: number;
  maxConcurrency?: number;
  seed?: number;
  name?: string;
  label?: Record<string, string>;
  secret?: string[];
  allowLoopbackEndpoints?: boolean;
  output?: string;
  resume?: string;
}

/** The names of the commands of the group, for a word that is no file. */
const COMMANDS = [
  'start',
  'list',
  'show',
  'agents',
  'attempts',
  'ranking',
  'failures',
  'events',
  'export',
  'import',
];

/** Runs a pack in this process. Ends as a followed run does; an interrupted run ends with 75 and can be continued. */
export async function runPack(session: Session, input: LocalRunInput): Promise<ExitCode | undefined> {
  const { out } = session;
  const packFile = await packFileOf(input.pack);
  if (input.agents === undefined) {
    throw new CommandError('usage', 'No agents are given: name a deployment file with --agents FILE', {
      hint: 'agentclash deployment init agents.yaml writes one to start from: it is a file of agentclash apply -f.',
    });
  }
  // First of all: Ctrl-C ends the run in order from here on.
  const interrupt = new Interrupt();
  const { openGrader, prepareRun } = await import('@agentclash/local-run');
  const grader = openGrader();
  try {
    const [read, agents] = [
      await readLocalPack(session, packFile),
      await readLocalAgents(session, input.agents),
    ];
    if (!('pack' in read) || agents === undefined) return EXIT_CODES.usage;
    const [{ localPack }, { bytesBeside }] = await Promise.all([
      import('@agentclash/local-attempts'),
      import('../../challenge-pack/pack-folder.js'),
    ]);
    const pack = await localPack(read, (asset) => bytesBeside(packFile, asset));
    const source = { pack, summary: read.summary, name: read.pack.pack.name };
    const prepared = await prepareRun(source, agents, {
      request: {
        ...input,
        deployments: input.deployment,
        variants: input.variant,
        cases: input.case,
        labels: input.label,
        repetitions: input.repetitions ?? 1,
      },
      secretValues: secretValues(input.secret ?? []),
    });
    return await withSandboxesOf(prepared, async (sandboxes) => {
      const results = await openResults(prepared, {
        ...{ output: input.output, resume: input.resume, version: installedVersion() },
      });
      const shown = prepared.run.warnings;
      for (const warning of shown) out.warn(warningLine(warning));
      const { pack: ran, input_set: set, progress } = prepared.run;
      const what = `${plural(prepared.lanes.length, 'agent')}, ${plural(progress.total, 'attempt')}`;
      const before =
        results.finished.length === 0 ? '' : `, ${results.finished.length} of them finished before`;
      out.note(
        oneLine(`run ${ran.slug} v${ran.version_number} / ${set.key}  ${what}${before}  ${results.file}`),
      );
      const ended = await conductRun(session, { prepared, results, grader, interrupt, input }, sandboxes);
      if ('interrupted' in ended) return showInterrupted(session, results.file, ended);
      return showLocalEnd(session, { ...ended, file: results.file, shown });
    });
  } catch (error) {
    throw asApiError(error);
  } finally {
    await grader.stop();
    interrupt.release();
  }
}

function showInterrupted({ out }: Session, file: string, { finished, total }: Interrupted): ExitCode {
  out.document({ results: file, interrupted: true, finished, total });
  out.note(`Interrupted: ${finished} of ${plural(total, 'attempt')} are in ${file}.`);
  out.note(out.paint.dim(`Continue with the same command and --resume ${file}`));
  return EXIT_CODES.try_again;
}

/** The document of a pack: a file, or the one document of a folder. */
async function packFileOf(given: string | undefined): Promise<string> {
  if (given === undefined) {
    throw new CommandError('usage', 'No challenge pack is given: agentclash run PACK --agents FILE', {
      hint: 'agentclash run --help lists the other commands.',
    });
  }
  if (given === '-') return given;
  if (!existsSync(given)) {
    const command = /^[a-z-]+$/.test(given) ? suggestedName(given, COMMANDS) : undefined;
    throw new CommandError('not_found', `There is no file ${given}`, {
      hint:
        command === undefined
          ? 'agentclash run runs the pack in a file here; agentclash run start runs a published one on a server.'
          : `Did you mean agentclash run ${command}?`,
    });
  }
  if (!(await stat(given)).isDirectory()) return given;
  const found = ['pack.yaml', 'pack.yml', 'challenge-pack.yaml'].map((name) => path.join(given, name));
  const pack = found.find((file) => existsSync(file));
  if (pack !== undefined) return pack;
  throw new CommandError('not_found', `The folder ${given} has no pack.yaml`, {
    hint: 'Name the file of the pack itself.',
  });
}
