import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { assertPortFree, freePort, LOOPBACK } from './port.js';

/** The default start of Linux's range. */
const OUTGOING_FROM = 32_768;

describe('a free port', () => {
  test('a free port is outside of the range that the system assigns to outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(ports.filter((port) => port >= OUTGOING_FROM)).toEqual([]);
  });

  test('a free port is not returned twice before a server listens on it', async () => {
    const ports = await Promise.all(Array.from({ length: 100 }, freePort));
    expect(new Set(ports).size).toBe(ports.length);
  });

  test('a free port has no listener on another address of the loopback interface', async () => {
    const next = (await freePort()) + 1;
    const server = createServer().listen(next, '127.0.0.2');
    await once(server, 'listening');
    try {
      expect(await freePort()).not.toBe(next);
    } finally {
      server.close();
    }
  });

  test('a free port is in use once a server listens on it', async () => {
    const port = await freePort();
    await assertPortFree(port, 'a server');
    const server = createServer().listen(port, LOOPBACK);
    await once(server, 'listening');
    try {
      await expect(assertPortFree(port, 'a server')).rejects.toMatchObject({ code: 'port_in_use' });
    } finally {
      server.close();
    }
  });
});
