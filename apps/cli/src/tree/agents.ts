import { type Command, Option } from 'commander';
import type { Act } from './act.js';

export function declareAgents(program: Command, act: Act): void {
  const deployments = program.command('deployment').description('Keep runnable agents');
  deployments
    .command('create')
    .requiredOption('-f, --file <file>', 'a deployment file; - is standard input')
    .description('Make what is missing, revise by name what differs')
    .action(act(() => import('../commands/deployment/create.js')));
  deployments
    .command('list')
    .addOption(new Option('--status <status>').choices(['active', 'archived']).default('active'))
    .description('List deployments')
    .action(act(() => import('../commands/deployment/list.js')));
  deployments
    .command('show')
    .argument('<deployment>', 'name or id')
    .description('Show a deployment')
    .action(act(() => import('../commands/deployment/show.js')));
  deployments
    .command('archive')
    .argument('<deployment>', 'name or id')
    .description('Archive a deployment; runs keep their snapshots')
    .action(act(() => import('../commands/deployment/archive.js')));

  const profiles = program.command('runtime-profile').description('Keep execution limits and overrides');
  profiles
    .command('create')
    .requiredOption('-f, --file <file>', 'a deployment file; - is standard input')
    .description('Make what is missing, revise by name what differs')
    .action(act(() => import('../commands/deployment/create.js')));
  profiles
    .command('list')
    .description('List runtime profiles')
    .action(act(() => import('../commands/runtime-profile/list.js')));
  profiles
    .command('show')
    .argument('<profile>', 'name or id')
    .description('Show a runtime profile')
    .action(act(() => import('../commands/runtime-profile/show.js')));
}
