import { constants } from 'node:os';

/** How the outermost process of a sandbox ended. */
export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

const SIGNALS = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]),
);
const SIGNAL_BITS = 0x7f;

/** From the status of `waitpid`. */
export function processEnd(status: number, stderr: string): ProcessEnd {
  const signal = status & SIGNAL_BITS;
  if (signal === 0) return { exitCode: (status >> 8) & 0xff, signal: null, stderr };
  return { exitCode: null, signal: SIGNALS.get(signal) ?? 'SIGKILL', stderr };
}
