import { readdirSync, readFileSync } from 'node:fs';

/** The processes of a stack that run services, by id; PostgreSQL's and nats-server's are not among them. */
export function stackProcesses(first: number): number[] {
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === first && read(pid, 'cmdline').includes('local-stack/dist/second.js'))
    .map(Number);
  return [first, ...others];
}

function parentOf(pid: string): number {
  const stat = read(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
