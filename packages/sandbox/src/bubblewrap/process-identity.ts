import { readFileSync } from 'node:fs';

/** A pid alone comes back; with its start time it does not. */
export interface ProcessIdentity {
  pid: number;
  startTicks: string;
}

export function isAlive(process: ProcessIdentity): boolean {
  return identityOf(process.pid)?.startTicks === process.startTicks;
}

export function identityOf(pid: number): ProcessIdentity | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields are counted after the name, which may hold spaces and parentheses; the start time is the 20th of them.
    const startTicks = text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
    return startTicks === undefined ? undefined : { pid, startTicks };
  } catch {
    return undefined;
  }
}
