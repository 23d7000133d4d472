import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect } from '@jest/globals';
import { counting, eventually, output, python, type SandboxTest } from './bench.js';
import { proxied } from './proxy-tests.js';

export const NETWORK_ABUSE: SandboxTest[] = [
  {
    id: 'abuse.net.unreachable',
    guarantee:
      "a sandbox without a network reaches nothing: the host's loopback, its addresses, metadata, names",
    run: async (bench) => {
      const session = await bench.open();
      const server = await listening();
      try {
        const address = server.address();
        const port = address !== null && typeof address === 'object' ? address.port : 0;
        const hosts = ['127.0.0.1', '::1', '169.254.169.254', '1.1.1.1', ...ownAddresses()];
        const result = await python(
          session,
          `
import socket
for host in ${JSON.stringify(hosts)}:
    for port in (${port}, 80, 53):
        try: socket.create_connection((host, port), timeout=1); print(host, port)
        except OSError: pass
try: socket.getaddrinfo('example.com', 80); print('resolved')
except OSError: pass
`,
        );
        expect(result).toMatchObject({ exitCode: 0 });
        expect(result.stdout.toString()).toBe('');
      } finally {
        server.close();
      }
    },
  },
  {
    id: 'abuse.net.unix-sockets',
    guarantee: "the host's unix sockets are unreachable, by path and by abstract name",
    run: async (bench) => {
      const session = await bench.open();
      const name = `\0agentclash-abuse-${process.pid}`;
      const server = createServer().listen(name);
      try {
        const result = await python(
          session,
          `
import glob, socket
for name in [${JSON.stringify(name).replaceAll('\\u0000', '\\0')}, '/run/dbus/system_bus_socket', '/var/run/docker.sock', '/dev/log']:
    try: socket.socket(socket.AF_UNIX).connect(name); print(repr(name))
    except OSError: pass
`,
        );
        expect(result.stdout.toString()).toBe('');
        expect(result.exitCode).toBe(0);
      } finally {
        server.close();
      }
    },
  },
  {
    id: 'abuse.net.families',
    guarantee: 'sockets that reach past a network namespace cannot be made, raw ones neither',
    run: async (bench) => {
      const session = await bench.open();
      const families = [40, 38, 17, 21, 30, 31, 44, 5, 4];
      const result = await python(
        session,
        `
import socket
for family in ${JSON.stringify(families)}:
    for kind in (1, 2, 3, 5):
        try: socket.socket(family, kind); print(family, kind)
        except OSError: pass
for family, protocol in ((2, 1), (2, 255), (10, 58)):
    try: socket.socket(family, 3, protocol); print('raw', family)
    except OSError: pass
`,
      );
      expect(result.stdout.toString()).toBe('');
      expect(result.exitCode).toBe(0);
    },
  },
  {
    id: 'abuse.net.own-loopback',
    guarantee: "a sandbox's own loopback works, and no interface can be added",
    run: async (bench) => {
      const session = await bench.open();
      const result = await python(
        session,
        `
import socket
server = socket.create_server(('127.0.0.1', 0))
client = socket.create_connection(server.getsockname(), timeout=2)
server.accept()[0].sendall(b'own')
print(client.recv(9).decode())
`,
      );
      expect(result.stdout.toString()).toBe('own\n');
      expect(
        await output(session, 'ip link add x type dummy 2>/dev/null && echo added; grep -c : /proc/net/dev'),
      ).toMatch(/^[1-9]$/);
    },
  },
];

async function listening(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  return server;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter((entry) => !entry.internal).map((entry) => entry.address),
  );
}

/** Requests that a proxy refuses are tested beside the proxy; these tests are about the way to it. */
export const PROXY_ABUSE: SandboxTest[] = [
  {
    id: 'abuse.net.proxy-only',
    guarantee:
      'a sandbox with a proxy reaches nothing but the proxy, neither the host nor another such sandbox',
    run: async (bench) => {
      const first = await proxied(bench, (stream) => stream.end('first'));
      const second = await proxied(bench, (stream) => stream.end('second'));
      if (!first || !second) return;
      const server = createServer((socket) => socket.end('host'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      const listening = python(
        second,
        "import socket, time\ns = socket.create_server(('', 8080))\nprint(s.accept())",
        {
          timeoutMs: 20_000,
        },
      );
      await eventually(async () => (await output(second, counting('python3'))) === '1');
      const look = await python(
        first,
        `
import socket
for host in ('127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '1.1.1.1'):
    for port in (3128, 8080, 53, ${port}):
        try: print(host, port, socket.create_connection((host, port), timeout=1).recv(9))
        except OSError: pass
print(sorted(name for _, name in socket.if_nameindex() if not name.startswith(('lo', 'sit', 'ip', 'gre', 'erspan', 'tunl'))))`,
      );
      expect(look.stdout.toString()).toBe("127.0.0.1 3128 b'first'\n[]\n");
      server.close();
      await second.destroy();
      await listening.catch(() => {});
    },
  },
  {
    id: 'abuse.net.connection-flood',
    guarantee: 'connections without end cost the host a bounded number, and the sandbox continues to work',
    run: async (bench) => {
      let open = 0;
      let most = 0;
      const session = await proxied(bench, (stream) => {
        most = Math.max(most, ++open);
        stream.resume().once('close', () => open--);
      });
      if (!session) return;
      const flood = await python(
        session,
        `
import socket
held = []
try:
    for i in range(3000):
        s = socket.socket(); s.setblocking(False); s.connect_ex(('127.0.0.1', 3128)); held.append(s)
except OSError: pass
import time; time.sleep(0.3)
print(len(held))`,
      );
      expect(Number(flood.stdout)).toBeGreaterThan(1_000);
      expect(most).toBeLessThanOrEqual(64);
      expect(await output(session, 'echo alive')).toBe('alive');
    },
  },
];
