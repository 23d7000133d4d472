import { Argument, type Command } from 'commander';
import type { Act } from './act.js';

export function declareShell(program: Command, act: Act): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .description('Print a completion script')
    .action(act(async () => (await import('../commands/completion.js')).completionOf(program)));
  program
    .command('version')
    .description('Print the version')
    .action(act(() => import('../commands/version.js')));
}
