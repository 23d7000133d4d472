import { readdirSync, readFileSync } from 'node:fs';

/** All living descendants of a process. */
export function processesOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = parentOf(name);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (ancestor: number): number[] =>
    (children.get(ancestor) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

function parentOf(name: string): number | undefined {
  if (!/^\d+$/.test(name)) return undefined;
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
