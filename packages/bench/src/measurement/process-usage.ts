import { readdirSync, readFileSync } from 'node:fs';

interface Entry {
  pid: number;
  parent: number;
  /** Of its program, or of its first thread. */
  name: string;
}

/** Who started whom, at one moment. */
export class ProcessTree {
  private readonly children = new Map<number, Entry[]>();
  private readonly names = new Map<number, string>();

  constructor() {
    for (const folder of readdirSync('/proc')) {
      const entry = entryOf(folder);
      if (entry === undefined) continue;
      this.names.set(entry.pid, entry.name);
      this.children.set(entry.parent, [...(this.children.get(entry.parent) ?? []), entry]);
    }
  }

  /** All descendants. */
  below(pid: number): number[] {
    return (this.children.get(pid) ?? []).flatMap((child) => [child.pid, ...this.below(child.pid)]);
  }

  childrenNamed(pid: number, name: string): number[] {
    return (this.children.get(pid) ?? []).filter((child) => child.name === name).map((child) => child.pid);
  }

  /** Children that run what it runs itself. */
  childrenLike(pid: number): number[] {
    return this.childrenNamed(pid, this.names.get(pid) ?? '');
  }
}

/** The living descendants of a process. */
export function processesOf(pid: number): number[] {
  return new ProcessTree().below(pid);
}

function entryOf(folder: string): Entry | undefined {
  if (!/^\d+$/.test(folder)) return undefined;
  try {
    const stat = readFileSync(`/proc/${folder}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, end);
    return { pid: Number(folder), name, parent: Number(stat.slice(end + 2).split(' ', 2)[1]) };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

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

/** The fields of `/proc/<pid>/stat` from the state on: those before may hold blanks. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
