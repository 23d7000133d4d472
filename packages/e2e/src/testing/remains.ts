import { readdirSync, readFileSync } from 'node:fs';

/** Processes of sandboxes that a process has below it, as command lines. */
export function sandboxesBelow(pid: number): string[] {
  const parents = new Map(pids().map((each) => [each, parentOf(each)]));
  const isBelow = (each: number | undefined): boolean =>
    each !== undefined && each > 1 && (each === pid || isBelow(parents.get(each)));
  return [...parents.keys()]
    .filter((each) => each !== pid && isBelow(each))
    .map(commandLine)
    .filter((text) => /\bbwrap\b|^\/agent\b|sandbox-exec/.test(text));
}

/** Command lines that name a folder. */
export function processesAbout(folder: string): string[] {
  return pids()
    .map(commandLine)
    .filter((text) => text.includes(folder));
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
}

function parentOf(pid: number): number | undefined {
  // The name in brackets may hold anything; what follows the last bracket is state and parent.
  const [, parent] = /\) \S (\d+) [^)]*$/.exec(fileOf(pid, 'stat')) ?? [];
  return parent === undefined ? undefined : Number(parent);
}

function commandLine(pid: number): string {
  return fileOf(pid, 'cmdline').replaceAll('\0', ' ');
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
