import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeServers, respondWith, serve } from '../testing/fixture.js';
import { connectThrough, proxied, throughProxy } from '../testing/proxied.js';

afterEach(closeServers);

const PUBLIC_ONLY = { kind: 'pack', allowlist: [] } as const;

const head = (more = '') =>
  `GET http://x.localhost:1/ HTTP/1.1\r\nHost: x.localhost:1\r\n${more === '' ? '' : `${more}\r\n`}\r\n`;
const PLAIN = head();

/** Resolves when the proxy has closed the connection. */
async function sent(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
}

describe('requests of one client', () => {
  test('requests that are pipelined behind the first of a connection are not handled', async () => {
    const { port, records } = await proxied({ policy: PUBLIC_ONLY });
    await sent(port, PLAIN.repeat(200));
    expect(records).toHaveLength(1);
  });

  test.each([
    ['a request without a body', PLAIN.repeat(2_000)],
    ['a body of a length', `${head('Content-Length: 5000')}${'x'.repeat(5_000)}${PLAIN.repeat(2_000)}`],
    ['a chunked body', `${head('Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n${PLAIN.repeat(2_000)}`],
  ])(
    'bytes that are pipelined behind %s are not even parsed, except for the first ones',
    async (_what, bytes) => {
      const { port } = await proxied({ policy: PUBLIC_ONLY });
      let parsed = 0;
      const onRequest = () => {
        parsed += 1;
      };
      subscribe('http.server.request.start', onRequest);
      try {
        await sent(port, bytes);
      } finally {
        unsubscribe('http.server.request.start', onRequest);
      }
      expect(parsed).toBeGreaterThan(0);
      expect(parsed).toBeLessThan(30);
    },
  );

  test('requests beyond the rate wait, and so do refused ones', async () => {
    const { port } = await proxied({ policy: PUBLIC_ONLY, limits: { requestsPerSecond: 5 } });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 8 }, () => throughProxy(port, 'http://10.0.0.1/')));
    // Five at once, the eighth three fifths of a second later.
    expect(performance.now() - startedAt).toBeGreaterThan(550);
  });

  test('a client that is refused again and again waits for each further try', async () => {
    const { port } = await proxied({ policy: PUBLIC_ONLY, limits: { requestsPerSecond: 10_000 } });
    const refused = async (count: number) => {
      const startedAt = performance.now();
      for (let sent = 0; sent < count; sent += 10) {
        await Promise.all(Array.from({ length: 10 }, () => throughProxy(port, 'http://10.0.0.1/')));
      }
      return performance.now() - startedAt;
    };
    await refused(100);
    // A tenth of a second each, but for those that came together.
    expect(await refused(20)).toBeGreaterThan(900);
  });

  test('requests beyond those of a whole life are refused', async () => {
    const server = await serve(respondWith('ok'));
    const { port, records } = await proxied({ limits: { requestsMax: 2 } });
    const send = () => throughProxy(port, `http://a.example:${server.port}/`);
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect((await send()).body).toBe('egress_blocked: requests_limit\n');
    expect((await connectThrough(port, `a.example:${server.port}`)).status).toBe(403);
    expect(server.accepted()).toBe(2);
    expect(records.map(({ payload }) => ('reason' in payload ? payload.reason : payload.status))).toEqual([
      ...[200, 200],
      ...['requests_limit', 'requests_limit'],
    ]);
  });
});
