import { existsSync } from 'node:fs';
import { type Bench, eventually } from './bench.js';

const TASKSET = ['/usr/bin/taskset', '/bin/taskset'].find((file) => existsSync(file));

/** Commands pinned to one CPU, so that a load on it need not be one on the whole machine. */
export function pinned(argv: readonly string[]): string[] {
  return TASKSET === undefined ? [...argv] : ['taskset', '-c', '0', ...argv];
}

export interface CpuLoad {
  count: number;
  /** To the CPU of `pinned`. */
  isPinned: boolean;
}

/** Runs work while `count` other sandboxes use all of a CPU that they can get. */
export async function underLoad<T>(bench: Bench, load: CpuLoad, work: () => Promise<T>): Promise<T> {
  const { count, isPinned } = load;
  const burner = ['sh', '-c', 'echo; while :; do :; done'];
  const ending = new AbortController();
  const sessions = await Promise.all(Array.from({ length: count }, () => bench.open()));
  let started = 0;
  const loads = sessions.map((session) =>
    session
      .exec(isPinned ? pinned(burner) : burner, {
        signal: ending.signal,
        onStdout: () => {
          started += 1;
        },
      })
      .catch(() => undefined),
  );
  try {
    await eventually(async () => started === count, 20_000);
    return await work();
  } finally {
    ending.abort();
    await Promise.all(loads);
  }
}
