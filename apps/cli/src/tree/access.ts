import { ROLES } from '@agentclash/domain';
import { type Command, type CommanderError, Option } from 'commander';
import { CommandError } from '../command-error.js';
import type { Act } from './act.js';
import { decimal, wholeNumber } from './options.js';

export function declareAccess(program: Command, act: Act): void {
  program
    .command('login')
    .argument('[url]', 'the address of the server; default: a prompt')
    .description('Check a token at a server and keep both for the next commands')
    .action(act(async () => (await import('../commands/login/login.js')).login));
  program
    .command('logout')
    .description('Remove server and token from your settings file')
    .action(act(async () => (await import('../commands/login/login.js')).logout));
  program
    .command('whoami')
    .description('Show the server, the workspace and the role of your token, and where it is set')
    .action(act(async () => (await import('../commands/login/whoami.js')).whoami));
  const secrets = program
    .command('secret')
    .description('Manage secrets: values that are stored and never shown again');
  secrets
    .command('list')
    .description('List names and metadata')
    .action(act(async () => (await import('../commands/secret.js')).listSecrets));
  secrets
    .command('set')
    .argument('<key>')
    .option('--value <value>', 'the value; without it, from standard input or a hidden prompt')
    .option(
      '--host <origins...>',
      'the origins that the value may go to, such as http://127.0.0.1:8080; a host alone is https on port 443, and for any origin there is --any',
    )
    .option('--any', 'let the value go wherever a pack or a deployment sends it, instead of --host')
    .description('Set or replace a secret')
    .exitOverride(adviseAgainstArguments)
    .action(act(async () => (await import('../commands/secret.js')).setSecret));
  secrets
    .command('delete')
    .argument('<key>')
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .description('Delete a secret')
    .action(act(async () => (await import('../commands/secret.js')).deleteSecret));
  secrets
    .command('audit')
    .argument('[key]', 'default: all secrets, also deleted ones')
    .option('--limit <number>', 'how many entries, newest first', wholeNumber(1, 10_000), 50)
    .description('Show who set, deleted and opened secrets, and for which attempt')
    .action(act(async () => (await import('../commands/secret.js')).auditSecrets));

  const tokens = program.command('token').description('Manage access tokens of the workspace');
  tokens
    .command('list')
    .description('List tokens; never their values')
    .action(act(async () => (await import('../commands/token.js')).listAccessTokens));
  tokens
    .command('create')
    .argument('<name>')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).default('member'))
    .option('--expires <time>', 'when it expires: a date, a time (RFC 3339), or a span such as 30d or 12h')
    .description('Create a token; its value is shown once')
    .action(act(async () => (await import('../commands/token.js')).createToken));
  tokens
    .command('revoke')
    .argument('<token>', 'name, id, or a part of the id')
    .option('-y, --yes', 'revoke without confirmation, also the token of these commands')
    .description('Revoke a token at once')
    .action(act(async () => (await import('../commands/token.js')).revokeToken));

  const workspaces = program.command('workspace').description('Manage workspaces');
  workspaces
    .command('list')
    .description('List the workspaces that the token can see')
    .action(act(async () => (await import('../commands/workspace.js')).listWorkspaces));
  workspaces
    .command('create')
    .argument('<slug>')
    .option('--name <name>', 'what the workspace is called; default: its slug')
    .description("Make a workspace; needs the operator's token")
    .action(act(async () => (await import('../commands/workspace.js')).createWorkspace));

  workspaces
    .command('usage')
    .description('Show what the evidence of the workspace takes, and how long it is kept')
    .action(act(async () => (await import('../commands/workspace.js')).showUsage));
  workspaces
    .command('retention')
    .argument('<days>', 'days after their end, "forever", or "default" for what the operator has set')
    .description('Set how long runs are kept; those that baselines hold stay')
    .action(act(async () => (await import('../commands/workspace.js')).setRetention));

  workspaces
    .command('audit-policy')
    .addOption(
      new Option(
        '--require <yes|no>',
        'refuse runs of versions that have not passed their newest audit',
      ).choices(['yes', 'no']),
    )
    .option('--min-strength <share>', 'the least share of mutants that graders notice, 0 to 1', decimal(0, 1))
    .option('--max-age-days <days>', 'days for which an audit counts', wholeNumber(1, 3_650))
    .description('Show or set the audit that the workspace requires of versions')
    .action(act(async () => (await import('../commands/audit-policy.js')).auditPolicy));

  const admin = program.command('admin').description("Manage the installation; needs the operator's token");
  admin
    .command('rotate-keys')
    .option('--status', 'show the keys and what is left to do, and change nothing')
    .option('--retire <key>', 'wrap nothing with this key any more, so that it can be removed')
    .description('Encrypt the keys of all secrets with a new master key, without downtime')
    .action(act(async () => (await import('../commands/admin/rotate-keys.js')).rotateKeys));

  const data = [
    '--data <folder>',
    "the folder that holds the stack's data; default: that of the stack that was started last",
  ] as const;
  admin
    .command('sweep')
    .option('--dry-run', 'count only, remove nothing')
    .description('Remove stored bytes that nothing refers to, and name references that lead to none')
    .action(act(async () => (await import('../commands/admin/sweep.js')).sweepStorage));
  const internalAccess = admin
    .command('front-door')
    .description("Give internal services access to the embedded stack's message bus (docs/nats.md)");
  internalAccess
    .command('open')
    .argument('<user>', 'its name on the bus: lower-case letters, digits, hyphens')
    .option(...data)
    .description('Make a bus user for the workspace; prints how to connect')
    .action(act(async () => (await import('../commands/admin/bus-access.js')).openBusAccess));
  internalAccess
    .command('close')
    .argument('<user>')
    .option(...data)
    .description('Shut a bus user out at once')
    .action(act(async () => (await import('../commands/admin/bus-access.js')).closeBusAccess));
  internalAccess
    .command('list')
    .option(...data)
    .description('List the bus users of internal services')
    .action(act(async () => (await import('../commands/admin/bus-access.js')).listBusAccess));
}

/** A value among the arguments is the most common mistake. */
function adviseAgainstArguments(error: CommanderError): never {
  if (error.code !== 'commander.excessArguments') throw error;
  throw new CommandError('usage', 'The value is no argument', {
    hint: 'Pipe it in (agentclash secret set KEY < file), or give --value.',
  });
}
