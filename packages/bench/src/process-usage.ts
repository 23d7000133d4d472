import { readFileSync } from 'node:fs';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;
/** `sysconf(_SC_CLK_TCK)` of every Linux there is. */
const TICKS_PER_SECOND = 100;

/** Processor time of a process and of all its descendants that have ended, in seconds. */
export function cpuSeconds(pid: number): number {
  const [user = 0, system = 0, usersOfEnded = 0, systemOfEnded = 0] = statFields(pid)
    .slice(11, 15)
    .map(Number);
  return (user + system + usersOfEnded + systemOfEnded) / TICKS_PER_SECOND;
}

/** Resident memory in MiB; 0 when the process has ended. */
export function residentMib(pid: number): number {
  try {
    const [, pages = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return (pages * PAGE_BYTES) / MIB;
  } catch {
    return 0;
  }
}

/** Memory of processes together in MiB: a page that several share counts once. */
export function proportionalMib(pids: readonly number[]): number {
  const kib = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kib.reduce((sum, each) => sum + each, 0) / 1024;
}

/** The fields of `/proc/<pid>/stat` from the state on: what stands before may hold blanks. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
