import type { Command } from 'commander';
import type { Act } from './act.js';
import { wholeNumber } from './options.js';

const port = wholeNumber(0, 65_535);
const DATA = ['--data <folder>', 'where its data lies'] as const;

export function declareStack(program: Command, act: Act): void {
  program
    .command('up')
    .description('Start the embedded stack: PostgreSQL, NATS and every service')
    .option(...DATA)
    .option('--port <port>', 'of the HTTP API; default: a free one', port)
    .option('-d, --detach', 'leave it running in the background')
    .action(act(() => import('../commands/stack/up.js')));
  program
    .command('down')
    .description('Stop the embedded stack; its data stays')
    .option(...DATA)
    .action(act(() => import('../commands/stack/down.js')));
  program
    .command('status')
    .description('Show whether the embedded stack runs, where, and how its parts are')
    .option(...DATA)
    .action(act(() => import('../commands/stack/status.js')));
  program
    .command('doctor')
    .description('Check server, token, database, bus and sandbox; say what to do')
    .action(act(() => import('../commands/stack/doctor.js')));
}
