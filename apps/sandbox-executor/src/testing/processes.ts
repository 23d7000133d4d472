import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** True when any process of this machine has the text in its command line. */
export function isProcessRunning(text: string): boolean {
  return pidsOf(text).length > 0;
}

/** Kills the sandbox that runs a process with the text in its command line, by the first process of it. */
export function killSandboxOf(text: string): void {
  const ours = namespaceOf(process.pid);
  let [pid] = pidsOf(text);
  if (pid === undefined || namespaceOf(pid) === ours) throw new Error(`"${text}" runs in no sandbox`);
  while (namespaceOf(parentOf(pid)) !== ours) pid = parentOf(pid);
  process.kill(pid, 'SIGKILL');
}

function pidsOf(text: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => read(pid, 'cmdline').includes(text));
}

function namespaceOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/ns/pid`);
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(read(pid, 'status'))?.[1] ?? 0);
}

function read(pid: number, name: 'cmdline' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
