import { once } from 'node:events';
import { processesHere } from './config.js';
import type { DetachedMessage, DetachedOptions } from './detached.js';
import { type RunningStack, startLocalStack } from './stack.js';

// A stack in a process of its own (detached.ts starts it): options come as a message, the state goes back, SIGTERM ends it.
// Signals stay handled while it ends: a second one, as of another `agentclash down`, would end this process at once, and
// the servers would write to the data folder after it.
const stopped = new Promise<undefined>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(undefined));
});
const [options] = (await once(process, 'message')) as [DetachedOptions];

/** How long what is left of a start that failed, or of one that was to end, may take to end. */
const SHUTDOWN_GRACE_MS = 2_000;
const START_ENDS_MS_MAX = 60_000;

function send(message: DetachedMessage): void {
  if (process.connected) process.send?.(message);
}

let stack: RunningStack | undefined;
void stopped.then(() => setTimeout(() => process.exit(1), START_ENDS_MS_MAX).unref());
try {
  stack = await startLocalStack({
    ...options,
    processes: processesHere(),
    onStep: (step) => send({ kind: 'step', step }),
  });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : '';
  send({ kind: 'failed', message, hint });
  process.exitCode = 1;
}
if (stack === undefined) {
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), SHUTDOWN_GRACE_MS).unref();
} else {
  send({ kind: 'ready', url: stack.url });
  const broken = await Promise.race([stopped, stack.broken]);
  await stack.close();
  process.exit(broken === undefined ? 0 : 1);
}
