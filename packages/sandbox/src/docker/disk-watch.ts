import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from './engine.js';
import type { ContainerDetails } from './engine-objects.js';

const INTERVAL_MS = 1_000;
/** A root of very many files takes the daemon long to measure: it does so for no more than this part of the time. */
const SHARE_OF_TIME = 10;
/** Files that the daemon keeps outside of the root, where root may write to them. */
const OUTSIDE_OF_ROOT = ['/etc/hosts', '/etc/hostname', '/etc/resolv.conf'];

/** Calls `onFull` when what a container has written to its root exceeds a size. Until the signal; never rejects. */
export async function watchDisk(watch: {
  engine: Engine;
  id: string;
  bytesMax: number;
  signal: AbortSignal;
  onFull: () => void;
}): Promise<void> {
  const { engine, id, bytesMax, signal, onFull } = watch;
  let waitMs = INTERVAL_MS;
  while (!signal.aborted) {
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const startedAt = performance.now();
    // The daemon may be restarting; its return ends the container or this measures again.
    const bytes = await bytesOf(engine, id, signal).catch(() => 0);
    if (bytes > bytesMax && !signal.aborted) return onFull();
    waitMs = Math.max(INTERVAL_MS, SHARE_OF_TIME * (performance.now() - startedAt));
  }
}

async function bytesOf(engine: Engine, id: string, signal: AbortSignal): Promise<number> {
  const query = { size: '1' };
  const { SizeRw = 0 } = await engine.get<ContainerDetails>(`/containers/${id}/json`, { query, signal });
  const outside = await Promise.all(
    OUTSIDE_OF_ROOT.map((path) => engine.sizeOf(id, path, signal).catch(() => 0)),
  );
  return outside.reduce((sum, bytes) => sum + bytes, SizeRw);
}
