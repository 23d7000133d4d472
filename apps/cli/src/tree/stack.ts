import { type Command, Option } from 'commander';
import type { Act } from './act.js';
import { ipAddress, wholeNumber } from './options.js';

const port = wholeNumber(0, 65_535);
const DATA = [
  '--data <folder>',
  "the folder that holds the stack's data; default: that of the stack that was started last",
] as const;

export function declareStack(program: Command, act: Act): void {
  program
    .command('demo')
    .description('Start a stack of its own, race three agents on an example pack, show the ranking')
    .option(
      '--data <folder>',
      "the folder that holds the demo's data; default: beside that of up, with -demo after its name",
    )
    .option('--allow-loopback-endpoints', 'let endpoints of members be on this machine while it runs')
    .action(act(async () => (await import('../commands/stack/demo.js')).runDemo));
  program
    .command('up')
    .description('Start the embedded stack: PostgreSQL, NATS and every service')
    .option(...DATA)
    .option(
      '--port <port>',
      'the port of the web app and the API; default: that of the start before, at first 7420; 0: a free one',
      port,
    )
    .option(
      '--host <address>',
      'the IP address that the web app and the API listen on, 0.0.0.0 for all; default: 127.0.0.1',
      ipAddress,
    )
    .option(
      '--allow-loopback-endpoints',
      'let endpoints and model servers of members be on this machine (127.0.0.1, ::1); remembered',
    )
    .option('--no-allow-loopback-endpoints', 'refuse them again; the default')
    .option('-d, --detach', 'start it in the background and return')
    .action(act(async () => (await import('../commands/stack/up.js')).startStack));
  program
    .command('down')
    .description('Stop the embedded stack; its data stays')
    .option(...DATA)
    .action(act(async () => (await import('../commands/stack/status.js')).stopStack));
  program
    .command('status')
    .description('Show whether the embedded stack runs, its addresses and the state of its services')
    .option(...DATA)
    .action(act(async () => (await import('../commands/stack/status.js')).showStatus));
  program
    .command('open')
    .argument('[run]', "the run's id, or last; default: the list of runs")
    .option('--print', 'print the link only, without opening a browser')
    .description('Open the web app, signed in; or print the link that does it')
    .action(act(async () => (await import('../commands/stack/open.js')).openWebApp));
  program
    .command('logs')
    .description('Show the log of the embedded stack')
    .option(...DATA)
    .option('-n, --lines <number>', 'show so many records, the newest', wholeNumber(1, 100_000), 100)
    .option('-f, --follow', 'continue with what is added')
    .option('--service <name>', 'show records of this service alone, such as gateway')
    .addOption(
      new Option('--level <level>', 'show records of this level and above').choices([
        'debug',
        'info',
        'warn',
        'error',
      ]),
    )
    .action(act(async () => (await import('../commands/stack/logs.js')).showLogs));
  program
    .command('uninstall')
    .option('--dry-run', 'list everything with its size, and remove nothing')
    .option('-y, --yes', 'remove without confirmation; required without a terminal')
    .option('--stop', 'stop running stacks first; without it a running stack is refused')
    .option('--data <folders...>', 'data folders of stacks in addition to the usual one and the last one')
    .description('Remove all that was made on this machine: settings, stacks with their data, caches')
    .action(act(async () => (await import('../commands/uninstall/uninstall.js')).uninstall));
  program
    .command('doctor')
    .description('Check server, token, database, bus and sandbox; print what to do')
    .action(act(async () => (await import('../commands/stack/doctor.js')).doctor));
}
