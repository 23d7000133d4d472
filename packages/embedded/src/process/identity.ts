import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one that got the same pid. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque: kernel ticks on Linux, a date elsewhere. */
  startedAt: string;
}

/** Identifies a live process; undefined when there is none with this pid (a zombie counts as none). */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startTicks(pid) : startDate(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether exactly this process is still there. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

function startTicks(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The command name is in parentheses and may itself hold spaces and parentheses: count from the last one.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? undefined : fields[18];
}

function startDate(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
