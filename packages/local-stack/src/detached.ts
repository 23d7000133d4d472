import { fork } from 'node:child_process';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openLayout } from './layout.js';
import { nodeProcess } from './node-process.js';
import { StackError } from './stack-error.js';

/** Options of a stack in a process of its own; they are sent as a message. */
export interface DetachedOptions {
  data: string;
  port?: number;
  hasStablePort?: boolean;
  host?: string;
  allowLoopbackEndpoints?: boolean;
}

interface DetachedStack {
  pid: number;
  url: string;
}

/** Messages of the process while it starts. */
export type DetachedMessage =
  | { kind: 'step'; step: string }
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; message: string; hint: string };

/** Starts a stack in a process that outlives this one; resolves when it is ready. Throws StackError. */
export async function startDetached(
  options: DetachedOptions,
  onStep?: (step: string) => void,
): Promise<DetachedStack> {
  const { log } = await openLayout(options.data);
  const output = openSync(log, 'a', 0o600);
  const child = fork(fileURLToPath(new URL('./main.js', import.meta.url)), [], {
    detached: true,
    ...nodeProcess(),
    stdio: ['ignore', output, output, 'ipc'],
  });
  child.send(options);
  return new Promise((resolve, reject) => {
    const fail = (message: string, hint: string) => reject(new StackError('start_failed', message, hint));
    child.once('exit', (code, signal) =>
      fail(`The stack ended while it started (${signal ?? code})`, `Details: ${log}`),
    );
    child.on('message', (message: DetachedMessage) => {
      if (message.kind === 'step') return onStep?.(message.step);
      if (message.kind === 'failed') return fail(message.message, message.hint);
      child.disconnect();
      child.unref();
      return resolve({ pid: child.pid ?? 0, url: message.url });
    });
  });
}
