import path from 'node:path';
import { findServer } from '../process/pid-record.js';

/** Where the server of a data folder leaves who it is. */
export function pidFileIn(dataDir: string): string {
  return path.join(dataDir, 'nats.process.json');
}

/** Where the server of a data folder keeps its streams. */
export function storeIn(dataDir: string): string {
  return path.join(dataDir, 'jetstream');
}

/** Has the server that runs on this data folder read its configuration again; false when none runs. */
export function reloadNats(dataDir: string): boolean {
  const server = findServer(pidFileIn(dataDir));
  if (server === undefined) return false;
  process.kill(server.pid, 'SIGHUP');
  return true;
}
