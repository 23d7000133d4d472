import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { identityOf, isAlive, type ProcessIdentity } from './live-records.js';

const FOLDER = 'processes';
let recorded = 0;

/**
 * Records in the state folder that this process opens sandboxes there, until the returned function is called. Between two
 * sandboxes nothing else shows that the folders of this machine are used. Removes the records of dead processes.
 */
export async function recordProcess(stateDir: string): Promise<() => void> {
  const folder = path.join(stateDir, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (!isAlive(readName(name))) rmSync(path.join(folder, name), { force: true });
  }
  const { pid, startTicks } = identityOf(process.pid) ?? { pid: process.pid, startTicks: '' };
  recorded += 1;
  const file = path.join(folder, `${pid}-${startTicks}-${recorded}`);
  writeFileSync(file, '');
  return () => rmSync(file, { force: true });
}

/** The living processes that open sandboxes with this state folder; none where it does not exist. */
export async function liveProcesses(stateDir: string): Promise<ProcessIdentity[]> {
  const names = await readdir(path.join(stateDir, FOLDER)).catch(() => []);
  return names.map(readName).filter(isAlive);
}

function readName(name: string): ProcessIdentity {
  const [pid = '', startTicks = ''] = name.split('-');
  return { pid: Number(pid), startTicks };
}
