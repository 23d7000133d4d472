import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedError } from '../error.js';

/** The server process of a data folder and its owner process. */
interface PidRecord {
  server: ProcessIdentity;
  owner: ProcessIdentity;
}

const KILL_AFTER_MS = 10_000;
const POLL_MS = 10;

/** Records that the server `pid` belongs to this process, so that a later start recognises an orphan. */
export function writePidRecord(file: string, pid: number): void {
  const server = identify(pid);
  const owner = identify(process.pid);
  if (server && owner) writeFileSync(file, JSON.stringify({ server, owner } satisfies PidRecord));
}

export function removePidRecord(file: string): void {
  rmSync(file, { force: true });
}

/** The server that a record names, while it lives. */
export function findServer(file: string): ProcessIdentity | undefined {
  const server = readPidRecord(file)?.server;
  return server && isAlive(server) ? server : undefined;
}

/**
 * Ends a server whose owner died without stopping it. Throws `already_running` when its owner lives, since the server
 * is in use.
 */
export async function evictOrphan(file: string, stopSignal: NodeJS.Signals): Promise<void> {
  const record = readPidRecord(file);
  if (record && isAlive(record.server)) {
    if (isAlive(record.owner)) {
      throw new EmbeddedError(
        'already_running',
        `Process ${record.owner.pid} already runs a server here: ${file}`,
        {
          hint: `Stop process ${record.owner.pid}, or choose another data folder.`,
        },
      );
    }
    await endProcess(record.server, stopSignal);
  }
  removePidRecord(file);
}

async function endProcess(server: ProcessIdentity, stopSignal: NodeJS.Signals): Promise<void> {
  signal(server, stopSignal);
  const killAt = Date.now() + KILL_AFTER_MS;
  while (isAlive(server)) {
    if (Date.now() > killAt) signal(server, 'SIGKILL');
    await delay(POLL_MS);
  }
}

function signal(server: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    if (isAlive(server)) process.kill(server.pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

function readPidRecord(file: string): PidRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<PidRecord>;
    return record.server && record.owner ? { server: record.server, owner: record.owner } : undefined;
  } catch {
    // Absent, or cut short by the crash that made it stale: either way it names no process.
    return undefined;
  }
}

/** A process that cannot be mistaken for a later one that got the same pid. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque: kernel ticks on Linux, a date elsewhere. */
  startedAt: string;
}

/** Identifies a live process; undefined when there is none with this pid (a zombie counts as none). */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startTicks(pid) : startDate(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** True when exactly this process is still there. */
function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

function startTicks(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The command name is in parentheses and may itself hold spaces and parentheses: count from the last one.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? undefined : fields[18];
}

function startDate(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
