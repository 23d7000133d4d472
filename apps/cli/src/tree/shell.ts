import { Argument, type Command } from 'commander';
import type { Act } from './act.js';

export function declareShell(program: Command, act: Act): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .description('Print a completion script, which also completes names that the server knows')
    .action(act(async () => (await import('../commands/completion/scripts.js')).printCompletion));
  // What the scripts call.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(act(async () => (await import('../commands/completion/complete.js')).completeFor(program)));
  program
    .command('version')
    .description('Print the version')
    .action(act(async () => (await import('../installed-version.js')).printVersion));
}
