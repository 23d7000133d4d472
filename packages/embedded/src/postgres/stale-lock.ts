import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';

/**
 * Removes a lock of this cluster's server (`postmaster.pid`, or that of its socket) whose process has ended while its pid
 * was reused (usual after a container restart), which PostgreSQL would take for a running server. Where the kernel does
 * not show a process's working directory, the lock is left to PostgreSQL's own check.
 */
export function clearStaleLock(lock: string, cluster: string): void {
  if (process.platform !== 'linux') return;
  const pid = lockedBy(lock);
  const workplace = pid === undefined ? undefined : worksIn(pid);
  if (workplace !== undefined && workplace !== realpathSync(cluster)) rmSync(lock, { force: true });
}

function lockedBy(lock: string): number | undefined {
  try {
    return Math.abs(Number.parseInt(readFileSync(lock, 'utf8'), 10));
  } catch {
    return undefined;
  }
}

/** A server's working directory is its cluster. Undefined when the process is gone or not ours to look at. */
function worksIn(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
