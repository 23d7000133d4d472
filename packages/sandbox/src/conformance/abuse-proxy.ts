import { createServer } from 'node:net';
import { expect } from '@jest/globals';
import { counting, eventually, output, python, type SandboxTest } from './bench.js';
import { proxied } from './proxy-tests.js';

/** What a proxy itself refuses is tested where it lives; these are about the way to it. */
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
