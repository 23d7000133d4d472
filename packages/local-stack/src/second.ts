import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ServiceName } from '@agentclash/contracts';
import { HEARTBEAT, type SecondMessage, type SecondOrders, STOP } from './second-process.js';
import { type Environments, ServiceGroup } from './service-group.js';

// Services in a process beside the first one of the stack, which starts and stops it. When that is gone,
// so are the servers, and nothing can be reported any more; nor is anything left to do after a start that failed.
const SHUTDOWN_GRACE_MS = 2_000;

// A Ctrl-C in the terminal reaches us, too; the first process stops us in its turn.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const [orders] = (await once(process, 'message')) as [SecondOrders];
const orphaned = once(process, 'disconnect').then(() => 'orphaned' as const);
const stopped = new Promise<'stopped'>((resolve) => {
  process.on('message', (message) => message === STOP && resolve('stopped'));
});

function send(message: SecondMessage): void {
  if (process.connected) process.send?.(message);
}

process.on('message', (message) => message === HEARTBEAT && send({ kind: 'alive' }));

async function begin({ environments, log }: SecondOrders): Promise<ServiceGroup | undefined> {
  try {
    const names = Object.keys(environments) as ServiceName[];
    const logTo = createWriteStream(log, { flags: 'a', mode: 0o600 });
    return await ServiceGroup.start(names, environments as Environments, logTo);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({
      kind: 'failed',
      message,
      ...(error instanceof Error && 'hint' in error && { hint: String(error.hint) }),
    });
    return undefined;
  }
}

const group = await begin(orders);
if (group === undefined) {
  process.exitCode = 1;
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), SHUTDOWN_GRACE_MS).unref();
} else {
  send({ kind: 'ready', health: group.health });
  setImmediate(forceGarbageCollection);
  if ((await Promise.race([stopped, orphaned])) === 'orphaned') {
    setTimeout(() => process.exit(1), SHUTDOWN_GRACE_MS).unref();
  }
  await group.close();
  process.exit(0);
}

/**
 * Collects what starting has left behind, once: an idle process would keep it, since only work makes the collector run.
 * Takes a tenth of a second of the thread.
 */
function forceGarbageCollection(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
