import { WIRE_KEYS } from '@agentclash/domain';
import { type Command, Option } from 'commander';
import type { Act } from './act.js';

export function declareAgents(program: Command, act: Act): void {
  const agents = program
    .command('agents')
    .description('List, install, remove and test coding agents that deployments name as their preset');
  agents
    .command('list')
    .description('List the presets of this release, their needs, and what is installed on this machine')
    .action(act(async () => (await import('../commands/agents/manage.js')).listAgents));
  agents
    .command('install')
    .argument('<name>', 'a preset of this release, or the file of one')
    .description('Install the packages of a coding agent ahead of its first attempt')
    .action(act(async () => (await import('../commands/agents/manage.js')).installAgent));
  agents
    .command('remove')
    .argument('<name>', 'the name of an installed preset, or its file')
    .description('Delete the packages of a coding agent, and what only it needs')
    .action(act(async () => (await import('../commands/agents/manage.js')).removeAgent));
  agents
    .command('test')
    .argument('<name>', 'a preset of this release, or the file of one')
    .addOption(
      new Option('--api <api>', 'the API to test; default: the preferred one of the preset').choices(
        WIRE_KEYS,
      ),
    )
    .option(
      '--files <folder>',
      "a folder with the files of the deployment, which are put into the agent's folder",
    )
    .option('--acp', 'run its command as an agent of ACP, as deployments with "protocol: acp" do')
    .description('Run a coding agent on a small task with a scripted model, offline, and report what works')
    .action(act(async () => (await import('../commands/agents/test.js')).testAgent));
}
