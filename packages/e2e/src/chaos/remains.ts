import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandLineOf, parentOf, processIds, sandboxesBelow } from '../testing/processes.js';

const WATCH_EVERY_MS = 20;
const WAIT_MS = 10_000;

/** Kills one live sandbox of these executors; waits for one where there is none. False when none comes. */
export async function killSandbox(executors: readonly number[]): Promise<boolean> {
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    const [victim] = executors.flatMap(outermostBelow);
    if (victim !== undefined) {
      process.kill(victim, 'SIGKILL');
      return true;
    }
    await delay(WATCH_EVERY_MS);
  }
  return false;
}

/** The remains of sandboxes on the machines of executors: processes, and records of live ones. */
export function sandboxRemains(executors: readonly number[]): string[] {
  const processes = executors.flatMap((pid) => sandboxesBelow(pid));
  return [...processes.map((line) => `process ${line}`), ...recordsOf(executors)];
}

/** The outermost process of each sandbox: a child of its executor's launcher. */
function outermostBelow(pid: number): number[] {
  const below = (parent: number) => processIds().filter((each) => parentOf(each) === parent);
  return below(pid)
    .flatMap(below)
    .filter((id) => /bwrap/.test(commandLineOf(id)));
}

function recordsOf(executors: readonly number[]): string[] {
  const folder = path.join(stateFolder(), 'live');
  return entriesOf(folder).filter((name) => {
    const owner = /"owner":\{"pid":(\d+)/.exec(fileOf(path.join(folder, name)))?.[1];
    return executors.includes(Number(owner));
  });
}

/** Where the executors of this user keep records of live sandboxes. */
function stateFolder(): string {
  if (process.getuid?.() === 0) return '/run/agentclash/sandbox';
  const runtime = process.env.XDG_RUNTIME_DIR ?? path.join(tmpdir(), `agentclash-${process.getuid?.()}`);
  return path.join(runtime, 'agentclash', 'sandbox');
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function fileOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
