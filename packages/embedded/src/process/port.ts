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
/** Ports of one process: processes with neighbouring ids choose from different blocks. */
const BLOCK = 128;
const BLOCKS = (PORTS.to - PORTS.from) / BLOCK;
const EVERY_ADDRESS = '0.0.0.0';

let offset = randomInt(BLOCK);

/**
 * A TCP port without a listener on any address, which the system does not assign to outgoing connections. A process
 * gets its ports in sequence from a block of its own: a port that was returned and has no listener yet is not returned
 * again to this process, nor to one that starts beside it.
 */
export async function freePort(): Promise<number> {
  const block = PORTS.from + (process.pid % BLOCKS) * BLOCK;
  for (let tries = 0; tries < BLOCK; tries += 1) {
    offset = (offset + 1) % BLOCK;
    const port = block + offset;
    if (await isFree(port)) return port;
  }
  return await tryPort(0);
}

async function isFree(port: number): Promise<boolean> {
  try {
    await tryPort(port);
    await tryPort(port, EVERY_ADDRESS);
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

async function tryPort(port: number, host = LOOPBACK): Promise<number> {
  const server = createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return taken;
}
