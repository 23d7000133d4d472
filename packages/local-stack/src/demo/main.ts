// `npm run demo` after the set-up: a stack of its own, a real race on it, the ranking, where to look next.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataFolder } from '@agentclash/embedded';
import { isCi } from '../config.js';
import { race } from './race.js';
import { Terminal } from './terminal.js';

const repository = path.resolve(import.meta.dirname, '../../../..');
const terminal = new Terminal(process.stdout, !isCi && process.stdout.isTTY && process.stdin.isTTY);

try {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: `${defaultDataFolder}-demo` },
      'allow-loopback-endpoints': { type: 'boolean' },
    },
  });
  process.exitCode = await race({
    repository,
    data: path.resolve(values.data),
    allowLoopbackEndpoints: values['allow-loopback-endpoints'],
    terminal,
  });
} catch (error) {
  process.exitCode = terminal.explain(error);
}
