import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { EmbeddedError } from '../error.js';

/** Embedded servers listen on the loopback interface only. */
export const LOOPBACK = '127.0.0.1';

/**
 * Below the range of outgoing connections on Linux, one of which could take the port before the server listens on it.
 */
const PORTS = { from: 16_384, to: 32_768 };
const TRIES_MAX = 100;

/** A TCP port without a listener, which the system does not assign to outgoing connections. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  return await tryPort(0);
}

async function isFree(port: number): Promise<boolean> {
  try {
    await tryPort(port);
    return true;
  } catch {
    return false;
  }
}

/** Throws `port_in_use` when another process listens on `port`, `start_failed` when this user may not. */
export async function assertPortFree(port: number, name: string): Promise<void> {
  try {
    await tryPort(port);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw portInUse(port, name);
    throw new EmbeddedError('start_failed', `${name} cannot listen on port ${port}: ${message}.`, {
      hint: 'Choose another port (or none, for a free one).',
      cause,
    });
  }
}

export function portInUse(port: number, name: string): EmbeddedError {
  return new EmbeddedError('port_in_use', `Port ${port} is in use, so ${name} cannot listen on it.`, {
    hint: `Stop the program that listens on ${LOOPBACK}:${port}, or choose another port (or none, for a free one).`,
  });
}

async function tryPort(port: number): Promise<number> {
  const server = createServer().listen({ port, host: LOOPBACK, exclusive: true });
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return taken;
}
