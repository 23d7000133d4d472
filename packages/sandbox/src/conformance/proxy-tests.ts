import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { expect } from '@jest/globals';
import type { SandboxSession } from '../contract.js';
import { type Bench, eventually, LIMITS, output, python, type SandboxTest } from './bench.js';

const MIB = 1024 * 1024;

/** Tests of the way out that a spec may bring; providers without one are let off by their capabilities. */
export const PROXY_TESTS: SandboxTest[] = [
  {
    id: 'proxy.environment',
    guarantee: 'the proxy is named by every usual variable in both cases, and a spec may override them',
    run: async (bench) => {
      const session = await proxied(bench, () => {}, { env: { ALL_PROXY: 'other' } });
      if (!session) return;
      const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
      const all = [...names, ...names.map((name) => name.toLowerCase())];
      const seen = await output(session, all.map((name) => `echo "$${name}"`).join('\n'));
      const proxy = 'http://127.0.0.1:3128';
      const own = 'localhost,127.0.0.1,::1';
      expect(seen.split('\n')).toEqual([proxy, proxy, 'other', own, proxy, proxy, proxy, own]);
    },
  },
  {
    id: 'proxy.http',
    guarantee: 'a program that knows nothing of sandboxes reaches the proxy for any host',
    run: async (bench) => {
      const server = createServer((request, response) => response.end(`you requested ${request.url}`));
      const session = await proxied(bench, (stream) => server.emit('connection', stream));
      if (!session) return;
      const program = `
import urllib.request
for host in ('a.example', 'b.example:8080'):
    print(urllib.request.urlopen(f'http://{host}/x').read().decode())`;
      expect((await python(session, program)).stdout.toString()).toBe(
        'you requested http://a.example/x\nyou requested http://b.example:8080/x\n',
      );
      server.close();
    },
  },
  {
    id: 'proxy.bulk',
    guarantee: 'megabytes go both ways whole and in order, each side as fast as the other reads',
    run: async (bench) => {
      const digests: string[] = [];
      const session = await proxied(bench, async (stream) => {
        const hash = createHash('sha256');
        for await (const chunk of unharmed(stream)) {
          hash.update(chunk);
          await new Promise((resolve) => setImmediate(resolve));
        }
        digests.push(hash.digest('hex'));
        for (let i = 0; i < 8; i++) stream.write(Buffer.alloc(MIB, i));
        stream.end();
      });
      if (!session) return;
      const result = await python(
        session,
        `
import hashlib, socket, time
s = socket.create_connection(('127.0.0.1', 3128))
data = bytes(range(256)) * (8 << 12)
s.sendall(data)
s.shutdown(socket.SHUT_WR)
got = b''
while chunk := s.recv(1 << 20):
    got += chunk
    if len(got) < 1 << 20: time.sleep(0.01)
print(hashlib.sha256(data).hexdigest())
print(len(got), got == b''.join(bytes([i]) * (1 << 20) for i in range(8)))`,
      );
      const [sent, received] = result.stdout.toString().trim().split('\n');
      expect(received).toBe(`${8 * MIB} True`);
      expect(digests).toEqual([sent]);
    },
  },
  {
    id: 'proxy.unread',
    guarantee: 'data that one side sends and the other does not read does not pile up',
    run: async (bench) => {
      let stream: Duplex | undefined;
      const session = await proxied(bench, (opened) => {
        stream = opened;
      });
      if (!session) return;
      const program = `
import socket
s = socket.create_connection(('127.0.0.1', 3128))
s.settimeout(0.5)
sent = 0
try:
    while True: sent += s.send(b'x' * 65536)
except TimeoutError: print(sent)`;
      expect(Number((await python(session, program)).stdout)).toBeLessThan(16 * MIB);
      expect(stream?.readableLength).toBeLessThanOrEqual(256 * 1024);
    },
  },
  {
    id: 'proxy.many',
    guarantee: 'more connections at once than are let through wait for their turn; none is lost',
    run: async (bench) => {
      let open = 0;
      let most = 0;
      const session = await proxied(bench, async (stream) => {
        open++;
        most = Math.max(most, open);
        let received = '';
        for await (const chunk of unharmed(stream)) received += String(chunk);
        open--;
        stream.end(received.toUpperCase());
      });
      if (!session) return;
      const program = `
import socket, threading
replies = []
def one(i):
    s = socket.create_connection(('127.0.0.1', 3128), timeout=15)
    s.sendall(f'n{i}'.encode()); s.shutdown(socket.SHUT_WR)
    replies.append(s.makefile().read())
threads = [threading.Thread(target=one, args=(i,)) for i in range(150)]
for t in threads: t.start()
for t in threads: t.join()
print(sorted(replies) == sorted(f'N{i}' for i in range(150)))`;
      const roomy = await python(session, program, { timeoutMs: 30_000 });
      expect(roomy.stdout.toString()).toBe('True\n');
      expect(most).toBeLessThanOrEqual(64);
    },
  },
  {
    id: 'proxy.ends',
    guarantee: 'a connection ends with its command and with its sandbox, and a refused one is reset',
    run: async (bench) => {
      const closed: string[] = [];
      let onNext: (stream: Duplex) => void = () => {};
      const session = await proxied(bench, (stream) => onNext(stream));
      if (!session) return;
      const hold = 'import socket, time\ns = socket.create_connection(("127.0.0.1", 3128))\n';
      const connected = new AbortController();
      onNext = (stream) => {
        stream.resume().once('end', () => closed.push('command'));
        connected.abort();
      };
      const held = python(session, `${hold}time.sleep(300)`, { signal: connected.signal });
      await held.catch(() => {});
      await eventually(async () => closed.includes('command'));
      onNext = (stream) => stream.destroy();
      const reset = await python(
        session,
        `${hold}
try: print(s.recv(1))
except ConnectionResetError: print('reset')`,
      );
      expect(reset.stdout.toString()).toBe('reset\n');
      let isOpen = false;
      onNext = (stream) => {
        isOpen = true;
        stream.resume().once('close', () => closed.push('sandbox'));
      };
      const running = python(session, `${hold}time.sleep(300)`).catch(() => {});
      await eventually(async () => isOpen);
      await session.destroy();
      await running;
      await eventually(async () => closed.includes('sandbox'));
    },
  },
];

/** Read to its end without closing the other direction. */
function unharmed(stream: Duplex): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false });
}

/** A sandbox whose processes reach `serve`; undefined where the provider has no such thing. */
export async function proxied(
  bench: Bench,
  serve: (stream: Duplex) => void,
  changes: { env?: Record<string, string> } = {},
): Promise<SandboxSession | undefined> {
  if (!bench.provider.capabilities.egressProxy) return undefined;
  const network = { kind: 'proxied', proxy: { serve } } as const;
  return bench.open({ network, limits: { ...LIMITS, pids: 256 }, ...changes });
}
