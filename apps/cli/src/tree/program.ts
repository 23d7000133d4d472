import { type ExitCode } from '@agentclash/domain';
import { Argument, Command } from 'commander';
import { installedVersion } from '../installed-version.js';
import { declareAccess } from './access.js';
import { type Act, actWith } from './act.js';
import { declareAgents } from './agents.js';
import { declareComparisons } from './comparisons.js';
import { addExamples } from './examples.js';
import { declareImages } from './images.js';
import { declareImports } from './imports.js';
import { declareMcp } from './mcp.js';
import { declarePacks } from './packs.js';
import { declarePrices } from './prices.js';
import { declareResources } from './resources.js';
import { declareReviews } from './reviews.js';
import { declareRuns } from './runs.js';
import { declareStack } from './stack.js';
import { addTableFormats } from './table-formats.js';
import { declareWebhooks } from './webhooks.js';

const EXAMPLES = `
Examples:
  agentclash up                                     start everything on this machine
  agentclash challenge-pack init task.yaml          write a starter pack
  agentclash challenge-pack publish task.yaml       publish it as a version
  agentclash run start --pack task --deployment a b --follow
`;

/** The commands by the task that they are for, in the order of the help. */
const GROUPS: readonly (readonly [heading: string, declare: (program: Command, act: Act) => void])[] = [
  ['Start', declareStack],
  ['Challenge packs', declarePacks],
  ['Challenge packs', declareImports],
  ['Agents', declareResources],
  ['Agents', declarePrices],
  ['Agents', declareAgents],
  ['Agents', declareImages],
  ['Runs', declareRuns],
  ['Comparisons and gates', declareComparisons],
  ['Comparisons and gates', declareReviews],
  ['Access', declareAccess],
  ['Access', declareWebhooks],
  ['This program', declareMcp],
  ['This program', declareShell],
];

/** The whole command tree. Modules of commands are loaded when they are run, so that help is quick. */
export function createProgram(
  end: (code: ExitCode) => void,
  { isForPrograms = false }: { isForPrograms?: boolean } = {},
): Command {
  const program = new Command('agentclash')
    .description('Race AI agents on challenge packs and score them from their evidence.')
    .option('--json', 'one JSON document on stdout, as with -o json; NDJSON when following')
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
  for (const [heading, declare] of GROUPS) {
    program.commandsGroup(`${heading}:`);
    declare(program, act);
  }
  addTableFormats(program);
  addExamples(program);
  return program;
}

function declareShell(program: Command, act: Act): void {
  program.helpCommand('help [command]');
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .description('Print a completion script, which also completes names that the server knows')
    .action(act(async () => (await import('../commands/completion/scripts.js')).printCompletion));
  // Called by the scripts.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(act(async () => (await import('../commands/completion/complete.js')).completeFor(program)));
  program
    .command('version')
    .description('Print the version, and whether it fits that of the server')
    .action(act(async () => (await import('../commands/version.js')).showVersion));
}
