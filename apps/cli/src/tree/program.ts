import type { ExitCode } from '@agentclash/domain';
import { Command } from 'commander';
import { installedVersion } from '../installed-version.js';
import { declareAccess } from './access.js';
import { actWith } from './act.js';
import { declareComparisons } from './comparisons.js';
import { addExamples } from './examples.js';
import { declarePacks } from './packs.js';
import { declareResources } from './resources.js';
import { declareRuns } from './runs.js';
import { declareShell } from './shell.js';
import { declareStack } from './stack.js';

const EXAMPLES = `
Examples:
  agentclash up                                     start everything on this machine
  agentclash challenge-pack init task.yaml          write a starter pack
  agentclash challenge-pack publish task.yaml       publish it as a version
  agentclash eval start --pack task --deployment a b --follow
`;

/** The whole command tree. Modules of commands are loaded when they are run, so that help is quick. */
export function createProgram(
  end: (code: ExitCode) => void,
  { isForPrograms = false }: { isForPrograms?: boolean } = {},
): Command {
  const program = new Command('agentclash')
    .description('Race AI agents on challenge packs and score them from their evidence.')
    .option('--json', 'one JSON document on stdout, NDJSON when following')
    .option('-q, --quiet', 'no progress and no hints')
    .option('--no-color', 'no colours')
    .option('-w, --workspace <workspace>', "the workspace's id or slug")
    .option('--api-url <url>', 'the server')
    .option('--token <token>', 'the token; AGENTCLASH_TOKEN is safer')
    .option('--non-interactive', 'never prompt; implied by CI and without a terminal')
    .version(`agentclash ${installedVersion()}`, '--version', 'print the version')
    .configureHelp({ showGlobalOptions: true })
    // Every error is reported in one function, which handles --json.
    .configureOutput({
      outputError: () => undefined,
      // The help of a group that was given no command: what a person wanted, and no result for a program.
      writeErr: (text) => void (isForPrograms ? undefined : process.stdout.write(text)),
    })
    .exitOverride()
    .addHelpText('after', EXAMPLES);
  const act = actWith(end);
  declareStack(program, act);
  declarePacks(program, act);
  declareResources(program, act);
  declareRuns(program, act);
  declareComparisons(program, act);
  declareAccess(program, act);
  declareShell(program, act);
  addExamples(program);
  return program;
}
