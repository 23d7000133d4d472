import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** What a running stack leaves in its data folder for the commands that look for it. */
export interface StackState {
  pid: number;
  url: string;
  postgresPort: number;
  natsPort: number;
  startedAt: string;
  /** Health endpoints of the services, by name. */
  health: Record<string, number>;
}

export async function writeState(file: string, state: StackState): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** The state of a stack whose process lives; a dead one's file says nothing. */
export async function findState(file: string): Promise<StackState | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const state = JSON.parse(text) as StackState;
    return isAlive(state.pid) ? state : undefined;
  } catch {
    return undefined;
  }
}

export async function removeState(file: string): Promise<void> {
  await rm(file, { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
