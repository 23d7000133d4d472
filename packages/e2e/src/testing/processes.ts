import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the processes of this machine. */
export function processIds(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
}

/** Processes of sandboxes that a process has below it, as command lines. */
export function sandboxesBelow(pid: number): string[] {
  const parents = new Map(processIds().map((each) => [each, parentOf(each)]));
  const isBelow = (each: number | undefined): boolean =>
    each !== undefined && each > 1 && (each === pid || isBelow(parents.get(each)));
  return [...parents.keys()]
    .filter((each) => each !== pid && isBelow(each))
    .map(commandLineOf)
    .filter((text) => /\bbwrap\b|^\/agent\b|sandbox-exec/.test(text));
}

/** Command lines that name a folder. */
export function processesAbout(folder: string): string[] {
  return processIds()
    .map(commandLineOf)
    .filter((text) => text.includes(folder));
}

/** The processes of a stack that run services, its first one first; PostgreSQL's and nats-server's are not among them. */
export function stackProcesses(first: number): number[] {
  const others = processIds()
    .filter((pid) => parentOf(pid) === first)
    .filter((pid) => commandLineOf(pid).includes('local-stack/dist/second.js'));
  return [first, ...others];
}

export function parentOf(pid: number): number | undefined {
  // The name in brackets may hold anything; what follows the last bracket is state and parent.
  const [, parent] = /\) \S (\d+) [^)]*$/.exec(fileOf(pid, 'stat')) ?? [];
  return parent === undefined ? undefined : Number(parent);
}

/** The command line of a process; empty when it has ended. */
export function commandLineOf(pid: number): string {
  return fileOf(pid, 'cmdline').replaceAll('\0', ' ');
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
