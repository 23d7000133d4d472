import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEgress } from '../egress.js';
import type { EgressPolicy } from '../guard/policy.js';
import { RECENT_MS } from '../guard/recent-checks.js';
import { closeServers, failureOf, LOOPBACK, respondWith, serve, serveTcp } from '../testing/fixture.js';
import { selfSigned } from '../testing/self-signed.js';
import type { EgressRequest } from './request.js';

afterEach(closeServers);

/** A client whose names lead to these addresses, and whose time does not pass by itself. */
function client(options: { extraCa?: string } = {}) {
  const state = { now: 0, addresses: ['127.0.0.1'], lookups: 0 };
  const egress = createEgress({
    ...options,
    now: () => state.now,
    resolve: async () => {
      state.lookups += 1;
      return state.addresses;
    },
  });
  const get = async (url: string, more: Partial<EgressRequest> = {}) =>
    Buffer.from(
      (await egress.request({ method: 'GET', url, policy: LOOPBACK, pool: 'account', ...more })).body,
    ).toString();
  return { state, egress, get };
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('connections that are kept', () => {
  test('requests of one pool use one connection, one after the other', async () => {
    const server = await serve(respondWith('ok'));
    const { get, state } = client();
    for (let request = 0; request < 3; request += 1) {
      expect(await get(`http://a.example:${server.port}/${request}`)).toBe('ok');
    }
    expect([server.accepted(), state.lookups]).toEqual([1, 1]);
  });

  test('requests over TLS of one pool use one connection', async () => {
    const certificate = selfSigned(['a.example']);
    const server = await serve(respondWith('ok'), certificate);
    const { get } = client({ extraCa: certificate.cert });
    for (let request = 0; request < 3; request += 1) await get(`https://a.example:${server.port}/`);
    expect(server.accepted()).toBe(1);
  });

  test('requests without a pool have connections of their own', async () => {
    const server = await serve(respondWith('ok'));
    const { egress } = client();
    const url = `http://a.example:${server.port}/`;
    for (let request = 0; request < 2; request += 1) {
      await egress.request({ method: 'GET', url, policy: LOOPBACK });
    }
    expect(server.accepted()).toBe(2);
    await server.idle();
  });

  test('requests at the same time use different connections, which later requests use again', async () => {
    const waiting: ServerResponse[] = [];
    // One response for three requests at once: none ends before the others have begun.
    const server = await serve((_request, response) => {
      waiting.push(response);
      if (waiting.length === 3) for (const one of waiting.splice(0)) one.end('ok');
    });
    const { get } = client();
    const url = `http://a.example:${server.port}/`;
    await Promise.all([1, 2, 3].map(() => get(url)));
    await Promise.all([1, 2, 3].map(() => get(url)));
    expect(server.accepted()).toBe(3);
  });

  test.each<[string, { host?: string; pool?: string | null; policy?: EgressPolicy }]>([
    ['another account', { pool: 'another' }],
    ['another policy', { policy: { kind: 'pack', allowlist: ['127.0.0.1/32'] } }],
    ['another name', { host: 'b.example' }],
    ['a request without a pool', { pool: null }],
  ])('a kept connection is not used for %s', async (_title, changes) => {
    const server = await serve(respondWith('ok'));
    const { get, egress } = client();
    await get(`http://a.example:${server.port}/`);
    const { host = 'a.example', pool = 'account', policy = LOOPBACK } = changes;
    const url = `http://${host}:${server.port}/`;
    await egress.request({ method: 'GET', url, policy, ...(pool !== null && { pool }) });
    expect(server.accepted()).toBe(2);
  });

  test('a name that leads to a forbidden address now is refused, though a connection is kept', async () => {
    const server = await serve(respondWith('ok'));
    const { get, state } = client();
    const url = `http://a.example:${server.port}/`;
    await get(url);
    state.addresses = ['169.254.169.254'];
    state.now = RECENT_MS;
    expect(await failureOf(get(url))).toMatchObject({ code: 'egress_blocked', reason: 'metadata' });
    expect([server.accepted(), state.lookups]).toEqual([1, 2]);
  });

  test('a kept connection to an address that the name has no longer is closed and not used', async () => {
    const server = await serve(respondWith('ok'));
    const { get, state } = client();
    const url = `http://a.example:${server.port}/`;
    await get(url);
    state.addresses = ['127.0.0.2'];
    state.now = RECENT_MS;
    expect((await failureOf(get(url))).code).toBe('connect_failed');
    await server.idle();
    expect(server.accepted()).toBe(1);
  });

  test('a request whose connection fails is followed by another lookup', async () => {
    const server = await serve(respondWith('ok'));
    const { get, state } = client();
    state.addresses = ['127.0.0.2'];
    const url = `http://a.example:${server.port}/`;
    expect((await failureOf(get(url))).code).toBe('connect_failed');
    state.addresses = ['127.0.0.1'];
    expect(await get(url)).toBe('ok');
  });

  test('a response that is not read to its end closes its connection', async () => {
    const server = await serve((_request, response) => void response.write('begun'));
    const { egress } = client();
    const url = `http://a.example:${server.port}/`;
    const { body } = await egress.open({ method: 'GET', url, policy: LOOPBACK, pool: 'account' });
    for await (const chunk of body) {
      expect(Buffer.from(chunk).toString()).toBe('begun');
      break;
    }
    await server.idle();
  });

  test('a connection that the server closed while it was idle is replaced', async () => {
    let requests = 0;
    const server = await serveTcp((socket) => {
      socket.on('data', () => {
        requests += 1;
        if (requests === 2) socket.destroy();
        else socket.write(OK);
      });
    });
    const { get } = client();
    const url = `http://a.example:${server.port}/`;
    expect([await get(url), await get(url)]).toEqual(['ok', 'ok']);
    expect([server.accepted(), requests]).toEqual([2, 3]);
  });

  test('a request on a new connection that is cut is not repeated', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.destroy()));
    const { get } = client();
    expect((await failureOf(get(`http://a.example:${server.port}/`))).code).toBe('response_failed');
    expect(server.accepted()).toBe(1);
  });

  test('a kept connection with bytes that no request precedes is not used', async () => {
    const server = await serveTcp((socket) => {
      socket.on('data', () => socket.write(OK));
      socket.once('data', () => setImmediate(() => socket.write(`${OK}${OK}`)));
    });
    const { get } = client();
    const url = `http://a.example:${server.port}/`;
    await get(url);
    await server.idle();
    expect(await get(url)).toBe('ok');
    expect(server.accepted()).toBe(2);
  });

  test('a request that is aborted while it uses a kept connection is not repeated', async () => {
    const aborting = new AbortController();
    const server = await serve((request, response) => {
      if (request.url === '/slow') aborting.abort();
      else response.end('ok');
    });
    const { get } = client();
    await get(`http://a.example:${server.port}/`);
    const slow = get(`http://a.example:${server.port}/slow`, { signal: aborting.signal });
    expect((await failureOf(slow)).code).toBe('aborted');
    expect(server.accepted()).toBe(1);
    await server.idle();
  });
});
