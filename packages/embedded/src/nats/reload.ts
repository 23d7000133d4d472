import path from 'node:path';
import { findServer } from '../process/pid-record.js';

/** The record of the server process of a data folder. */
export function pidFileIn(dataDir: string): string {
  return path.join(dataDir, 'nats.process.json');
}

/** The folder of the streams of a data folder's server. */
export function storeIn(dataDir: string): string {
  return path.join(dataDir, 'jetstream');
}

/** Makes the server of this data folder reload its configuration; false when none runs. */
export function reloadNats(dataDir: string): boolean {
  const server = findServer(pidFileIn(dataDir));
  if (server === undefined) return false;
  process.kill(server.pid, 'SIGHUP');
  return true;
}
