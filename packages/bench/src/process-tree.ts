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
