import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { expect } from '@jest/globals';
import { type Bench, eventually, LIMITS, python, type SandboxTest } from './bench.js';

const PORTS = [13_131, 13_132] as const;

/** Tests of the services that a spec brings to the sandbox's loopback. */
export const LISTENER_TESTS: SandboxTest[] = [
  {
    id: 'listener.parted',
    guarantee: 'each service gets the connections to its own port, beside the proxy and without a network',
    run: async (bench) => {
      const servers = PORTS.map((port) =>
        createServer((request, response) => response.end(`${port} ${request.url}`)),
      );
      const session = await served(bench, (port, stream) => {
        servers[PORTS.indexOf(port)]?.emit('connection', stream);
      });
      const program = `
import urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
for port in (13131, 13132, 13131):
    print(opener.open(f'http://127.0.0.1:{port}/x{port}').read().decode())`;
      expect((await python(session, program)).stdout.toString()).toBe(
        '13131 /x13131\n13132 /x13132\n13131 /x13131\n',
      );
      for (const server of servers) server.close();
    },
  },
  {
    id: 'listener.independent',
    guarantee: 'connections that are left open to one port keep none to another waiting',
    run: async (bench) => {
      const held: Duplex[] = [];
      const session = await served(bench, (port, stream) => {
        stream.on('error', () => {});
        if (port === 13_131) held.push(stream);
        else stream.end('served');
      });
      const program = `
import socket
held = [socket.create_connection(('127.0.0.1', 13131)) for _ in range(70)]
other = socket.create_connection(('127.0.0.1', 13132), timeout=15)
print(other.recv(100).decode())`;
      expect((await python(session, program)).stdout.toString()).toBe('served\n');
      expect(held.length).toBeLessThanOrEqual(64);
    },
  },
  {
    id: 'listener.end',
    guarantee: 'the streams of a service end with the sandbox',
    run: async (bench) => {
      const closed: number[] = [];
      let isOpen = false;
      const session = await served(bench, (port, stream) => {
        isOpen = true;
        stream.on('error', () => {});
        stream.on('close', () => closed.push(port));
      });
      const hold = `
import socket, time
s = socket.create_connection(('127.0.0.1', 13131))
time.sleep(60)`;
      const running = python(session, hold).catch(() => undefined);
      await eventually(async () => isOpen);
      await session.destroy();
      await running;
      await eventually(async () => closed.length === 1);
      expect(closed).toEqual([13_131]);
    },
  },
];

async function served(bench: Bench, serve: (port: (typeof PORTS)[number], stream: Duplex) => void) {
  return await bench.open({
    listeners: PORTS.map((port) => ({ port, serve: (stream) => serve(port, stream) })),
    limits: { ...LIMITS, pids: 256 },
  });
}
