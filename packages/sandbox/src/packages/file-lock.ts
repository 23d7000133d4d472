import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { toolEnvironment } from '../host/config.js';
import { SandboxError } from '../sandbox-error.js';

/** Reports that it has the lock, and keeps it until its input ends: with its owner at the latest. */
const HOLD = 'echo; exec cat > /dev/null';

/** Does the work while no other process on this machine that locks the same file does. */
export async function whileLocked<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const holder = spawn('flock', ['--exclusive', file, '/bin/sh', '-c', HOLD], {
    env: toolEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
  });
  const ended = new Promise<never>((_, reject) => {
    const fail = (cause: unknown) => {
      signal.throwIfAborted();
      throw new SandboxError('unavailable', 'the packages of sandboxes cannot be locked', { cause });
    };
    const end = (cause: unknown) => {
      try {
        fail(cause);
      } catch (error) {
        reject(error);
      }
    };
    holder.once('error', end).once('exit', end);
  });
  ended.catch(() => {});
  try {
    await Promise.race([once(holder.stdout, 'data'), ended]);
    return await work();
  } finally {
    holder.stdin.destroy();
  }
}
