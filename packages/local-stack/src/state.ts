import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { identify } from '@agentclash/embedded';

/** The state that a running stack leaves in its data folder, for the commands that look for it. */
export interface StackState {
  pid: number;
  /** When the process began, opaque: a later one with the same pid is another. */
  processStart: string;
  url: string;
  /** Where browsers reach it, by way of a proxy or a published port; absent: at its own address. */
  publicUrl?: string;
  postgresPort: number;
  natsPort: number;
  /** Of nats-server; absent from earlier releases. */
  natsVersion?: string;
  startedAt: string;
  /**
   * True when endpoints and provider accounts of members may be on this machine; absent from earlier releases, where
   * they might.
   */
  allowsLoopback?: boolean;
  /** Health endpoints of the services, by name. */
  health: Record<string, number>;
}

/** Notes this process as the one that runs the stack. */
export async function writeState(
  file: string,
  about: Omit<StackState, 'pid' | 'processStart'>,
): Promise<void> {
  const { pid } = process;
  const state: StackState = { pid, processStart: identify(pid)?.startedAt ?? '', ...about };
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** The state of a stack whose process lives; the file of a dead one is ignored. */
export async function findState(file: string): Promise<StackState | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const state = JSON.parse(text) as StackState;
    return isAlive(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

export async function removeState(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** True when exactly the process that wrote this state is still there. */
export function isAlive({ pid, processStart }: StackState): boolean {
  return identify(pid)?.startedAt === processStart;
}
