import { chmod, chown, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Account } from '../process/account.js';
import { LOOPBACK } from '../process/port.js';
import type { Login } from './database.js';

/** The address of a server. */
export interface Address {
  port: number;
  /** The folder of its Unix socket; default: it has none. */
  socketFolder: string | undefined;
}

/** Of the address of a Unix socket, `sun_path` without its end: 103 on macOS, a little more on Linux. */
const SOCKET_PATH_BYTES_MAX = 103;

/** The name that PostgreSQL and its clients give to the socket; its lock has `.lock` behind it. */
export function socketIn(folder: string, port: number): string {
  return path.join(folder, `.s.PGSQL.${port}`);
}

/**
 * Creates the folder for the server's Unix socket, accessible to its account and root only; undefined where its path is
 * unsuitable for a socket. A message over it costs half of one over TCP.
 */
export async function openSocketFolder(
  dataDir: string,
  account: Account | undefined,
): Promise<string | undefined> {
  const folder = path.join(dataDir, 'socket');
  const isTooLong = Buffer.byteLength(socketIn(folder, 65_535)) > SOCKET_PATH_BYTES_MAX;
  // A comma would begin the next folder of the server's list.
  if (isTooLong || folder.includes(',')) return undefined;
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Holds the TCP address, and the Unix socket that overrides it where there is one. */
export function connectionString({ port, socketFolder }: Address, database: string, login: Login): string {
  const [user, password, name] = [login.user, login.password, database].map(encodeURIComponent);
  const socket = socketFolder === undefined ? '' : `?host=${encodeURIComponent(socketFolder)}`;
  return `postgresql://${user}:${password}@${LOOPBACK}:${port}/${name}${socket}`;
}
