import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEgress } from './egress.js';
import type { NetworkRecord } from './guard/record.js';
import {
  closeServers,
  failureOf,
  get,
  LOOPBACK,
  MIB,
  respondWith,
  serve,
  serveTcp,
  toLoopback,
} from './testing/fixture.js';
import { selfSigned } from './testing/self-signed.js';

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

afterEach(closeServers);

describe('a guarded request', () => {
  test('a guarded request arrives unchanged and is recorded', async () => {
    const seen: unknown[] = [];
    const server = await serve(async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, host: headers.host, trace: headers['x-trace'], body: await bodyOf(request) });
      response.writeHead(201, { 'x-one': 'ä', 'set-cookie': ['a=1', 'b=2'] }).end('done');
    });
    const records: NetworkRecord[] = [];
    const result = await get(`http://api.example:${server.port}/p?q=1#f`, {
      method: 'post',
      headers: { 'X-Trace': '7' },
      body: 'ü',
      onHop: (record) => records.push(record),
    });
    const host = `api.example:${server.port}`;
    expect(seen).toEqual([{ method: 'POST', url: '/p?q=1', host, trace: '7', body: 'ü' }]);
    expect(result).toMatchObject({ status: 201, url: `http://${host}/p?q=1`, hops: 0 });
    expect(result.headers).toMatchObject({ 'set-cookie': 'a=1, b=2' });
    expect(Buffer.from(result.body).toString()).toBe('done');
    const target = { method: 'POST', scheme: 'http', host: 'api.example', port: server.port };
    const payload = { ...target, hops: 0, status: 201, bytes: 4, duration_ms: expect.any(Number) };
    expect(records).toEqual([{ event_type: 'network.request.completed', payload }]);
  });

  test('a guarded request returns any status as a result', async () => {
    const server = await serve((_request, response) => response.writeHead(503).end('busy'));
    expect((await get(`http://a.example:${server.port}/`)).status).toBe(503);
  });

  test('a guarded request reads no proxy from the environment', async () => {
    const server = await serve(respondWith('direct'));
    const proxy = await serve(respondWith('proxied'));
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'HTTPS_PROXY', 'https_proxy'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      const { body } = await get(`http://a.example:${server.port}/`);
      expect(Buffer.from(body).toString()).toBe('direct');
      expect(proxy.accepted()).toBe(0);
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  test('a guarded response streams: its first event arrives while the response is still open', async () => {
    let finish = () => {};
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      finish = () => response.end('data: 2\n\n');
    });
    const egress = createEgress({ resolve: toLoopback });
    const { body } = await egress.open({
      method: 'GET',
      url: `http://a.example:${server.port}/`,
      policy: LOOPBACK,
    });
    const seen: string[] = [];
    for await (const chunk of body) {
      seen.push(Buffer.from(chunk).toString());
      finish();
    }
    expect(seen.join('')).toBe('data: 1\n\ndata: 2\n\n');
  });

  test('a guarded request leaves no connection open, whether its response is read, left or closed', async () => {
    const server = await serve(respondWith(randomBytes(MIB)));
    const egress = createEgress({ resolve: toLoopback });
    const request = { method: 'GET', url: `http://a.example:${server.port}/`, policy: LOOPBACK };
    await egress.request(request);
    for await (const _ of (await egress.open(request)).body) break;
    (await egress.open(request)).close();
    await server.idle();
    expect(server.accepted()).toBe(3);
  });
});

describe('pinning', () => {
  test('a name is looked up once: a second response of the resolver cannot move the connection', async () => {
    const server = await serve(respondWith('first'));
    const addresses = [['127.0.0.1'], ['10.0.0.1']];
    let lookups = 0;
    const resolve = async () => addresses[lookups++] ?? [];
    await get(`http://rebind.example:${server.port}/`, {}, { resolve });
    expect(lookups).toBe(1);
  });

  test('every redirect is looked up again, and a name that moved inside is refused', async () => {
    const server = await serve((_request, response) => response.writeHead(302, { location: '/again' }).end());
    const addresses = [['127.0.0.1'], ['10.0.0.1']];
    const error = await failureOf(
      get(`http://rebind.example:${server.port}/`, {}, { resolve: async () => addresses.shift() ?? [] }),
    );
    expect(error).toMatchObject({ code: 'egress_blocked', reason: 'private' });
    expect(server.accepted()).toBe(1);
  });

  test('a refused address sees no connection', async () => {
    const server = await serve(respondWith('secret'));
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', 'inner.example']) {
      const error = await failureOf(
        get(`http://${host}:${server.port}/`, { policy: { kind: 'pack', allowlist: [] } }),
      );
      expect(error).toMatchObject({ code: 'egress_blocked', reason: 'loopback' });
    }
    expect(server.accepted()).toBe(0);
  });

  test('the next pinned address serves when the first one refuses', async () => {
    const server = await serve(respondWith('second'));
    const result = await get(
      `http://two.example:${server.port}/`,
      {},
      { resolve: async () => ['127.0.0.2', '127.0.0.1'] },
    );
    expect(result.status).toBe(200);
  });
});

describe('failures', () => {
  test.each([
    ['closes at once', (socket: Socket) => socket.destroy()],
    ['uses another protocol', (socket: Socket) => socket.end('220 smtp ready\r\n')],
    [
      'breaks off in the body',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    ],
  ])('a server that %s is a failed response', async (_what, onSocket) => {
    const server = await serveTcp((socket) => void socket.once('data', () => onSocket(socket)));
    expect((await failureOf(get(`http://a.example:${server.port}/`))).code).toBe('response_failed');
  });

  test('no error shows an address or a resolver, and our log receives the cause', async () => {
    const closed = await serve(respondWith(''));
    await closed.close();
    const causes: unknown[] = [];
    const options = { onCause: (cause: unknown) => causes.push(cause) };
    const refused = await failureOf(get(`http://a.example:${closed.port}/`, {}, options));
    const resolve = () => Promise.reject(new Error('queryA ESERVFAIL 10.1.2.3 a.example'));
    const unknown = await failureOf(get('http://a.example/', {}, { resolve }));
    expect([refused.code, unknown.code]).toEqual(['connect_failed', 'dns_failed']);
    for (const error of [refused, unknown]) {
      expect(JSON.stringify({ ...error, message: error.message, cause: error.cause })).not.toMatch(
        /127|10\.1|a\.example|ESERV|ECONN/,
      );
    }
    expect(causes).toEqual([expect.objectContaining({ code: 'ECONNREFUSED' })]);
  });
});

afterEach(closeServers);

describe('TLS', () => {
  const certificate = selfSigned(['api.example', '127.0.0.1']);

  test('a trusted certificate for the name is accepted, and the server receives the name', async () => {
    const server = await serve((request, response) => {
      const name = request.socket instanceof TLSSocket && request.socket.servername;
      response.end(`${name} ${request.headers.host}`);
    }, certificate);
    const { body } = await get(`https://api.example:${server.port}/`, {}, { extraCa: certificate.cert });
    expect(Buffer.from(body).toString()).toBe(`api.example api.example:${server.port}`);
  });

  test('an address is checked against the certificate', async () => {
    const server = await serve(respondWith('ok'), certificate);
    const result = await get(`https://127.0.0.1:${server.port}/`, {}, { extraCa: certificate.cert });
    expect(result.status).toBe(200);
  });

  test.each([
    ['an unknown issuer', 'api.example', {}, {}],
    ['another name', 'other.example', { extraCa: certificate.cert }, {}],
    [
      'TLS 1.1',
      'api.example',
      { extraCa: certificate.cert },
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
    ],
  ] as const)('a server with %s is refused', async (_what, host, options, versions) => {
    const server = await serve(respondWith('never'), { ...certificate, ...versions });
    const error = await failureOf(get(`https://${host}:${server.port}/`, {}, options));
    expect(error.code).toBe('tls_failed');
  });
});
