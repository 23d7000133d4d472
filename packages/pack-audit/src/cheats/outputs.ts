import type { AuditAgent } from '../agents/agent.js';
import { type CheatTarget, cheatFamily } from './cheat.js';
import { programAgent } from './program.js';
import { textPaths } from './reach.js';
import { outputPaths } from './task.js';

/** Makes something else than a file at every place where a grader reads one. `make` is a command; `$1` is the place. */
function atOutputs(target: CheatTarget, make: (path: string) => string): AuditAgent | undefined {
  return atPaths(target, outputPaths(target), make);
}

/** The same for outputs that are read as texts. */
function atTexts(target: CheatTarget, make: (path: string) => string): AuditAgent | undefined {
  return atPaths(target, textPaths(target), make);
}

function atPaths(
  target: CheatTarget,
  paths: readonly string[],
  make: (path: string) => string,
): AuditAgent | undefined {
  if (paths.length === 0) return undefined;
  const lines = paths.map((path) => `at '${path.replaceAll("'", "'\\''")}'\n${make(path)}`);
  return programAgent(target, {
    script: `at() { mkdir -p "$(dirname -- "$1")"; rm -rf -- "$1"; place=$1; }\n${lines.join('\n')}`,
  });
}

/** The file of the grader that an output would be compared with: by its name or ending, else the first. */
function graderFile({ facts }: CheatTarget, path: string): string {
  const name = path.split('/').at(-1) ?? path;
  const [ending = ''] = /\.\w+$/.exec(name) ?? [];
  const data = facts.graderPaths.filter((each) => !/\.(py|[cm]?js|sh)$/.test(each));
  return (
    data.find((each) => each.endsWith(`/${name}`)) ??
    data.find((each) => ending !== '' && each.endsWith(ending)) ??
    data[0] ??
    '/grader/expectations.json'
  );
}

/** Things that are no files, where a grader looks for one. */
export const OUTPUTS = cheatFamily(
  'Outputs that are no plain files',
  'Capture outputs (`post_execution_checks`): a capture refuses links, devices and folders. A harness that opens them itself must refuse what is no plain file (`O_NOFOLLOW`, `S_ISREG`), read at most as much as an honest output holds, and count an error as a failure.',
  [
    {
      key: 'output_links_to_grader',
      title: 'The output is a link to the expected values in the sandbox of the grader.',
      agent: (target) => atTexts(target, (path) => `ln -s '${graderFile(target, path)}' "$place"`),
    },
    {
      key: 'output_links_to_expectations',
      title: 'The output is a link to the file of all expectations in the sandbox of the grader.',
      agent: (target) => atTexts(target, () => 'ln -s /grader/expectations.json "$place"'),
    },
    {
      key: 'output_links_to_environment',
      title: 'The output is a link to the variables of the process that reads it.',
      agent: (target) => atTexts(target, () => 'ln -s /proc/self/environ "$place"'),
    },
    {
      key: 'output_links_to_command',
      title: 'The output is a link to the command line of the process that reads it.',
      agent: (target) => atTexts(target, () => 'ln -s /proc/self/cmdline "$place"'),
    },
    {
      key: 'output_is_endless',
      title: 'The output is a link to a device that never ends.',
      agent: (target) => atOutputs(target, () => 'ln -s /dev/zero "$place"'),
    },
    {
      key: 'output_is_a_link_to_itself',
      title: 'The output is a link to itself.',
      agent: (target) => atOutputs(target, () => 'ln -s "$(basename -- "$place")" "$place"'),
    },
    {
      key: 'output_is_a_pipe',
      title: 'The output is a named pipe into which nothing writes.',
      agent: (target) => atOutputs(target, () => 'mkfifo "$place"'),
    },
    {
      key: 'output_is_a_folder',
      title: 'The output is a folder.',
      agent: (target) => atOutputs(target, () => 'mkdir "$place"; : > "$place/file"'),
    },
    {
      key: 'output_is_unreadable',
      title: 'The output is a file that cannot be read.',
      agent: (target) => atOutputs(target, () => ': > "$place"; chmod 000 "$place"'),
    },
    {
      key: 'output_is_huge',
      title: 'The output is a sparse file of 16 MiB.',
      agent: (target) => atTexts(target, () => 'truncate -s 16M "$place"'),
    },
    {
      key: 'outputs_are_present',
      title: 'Every output has its own name as its content.',
      fix: 'Check the content of an output, not only that it is there.',
      agent: (target) => atTexts(target, () => `printf '%s\\n' "$place" > "$place"`),
    },
  ],
);
