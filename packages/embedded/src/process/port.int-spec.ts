import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { assertPortFree, freePort, LOOPBACK } from './port.js';

/** Where Linux begins unless told otherwise. */
const OUTGOING_FROM = 32_768;

describe('a free port', () => {
  test('is none that the system may give to a connection that goes out before a server listens there', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(ports.filter((port) => port >= OUTGOING_FROM)).toEqual([]);
  });

  test('is refused to the next once somebody listens there', async () => {
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
