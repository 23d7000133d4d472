import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEgress } from './egress.js';
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

afterEach(closeServers);

describe('sizes', () => {
  test('a body of exactly the limit passes, one byte more does not', async () => {
    const server = await serve(({ url = '' }, response) => response.end(Buffer.alloc(Number(url.slice(1)))));
    expect((await get(`http://a.example:${server.port}/${5 * MIB}`)).body).toHaveLength(5 * MIB);
    expect((await failureOf(get(`http://a.example:${server.port}/${5 * MIB + 1}`))).code).toBe(
      'response_too_large',
    );
  });

  test('an endless body is cut at the limit', async () => {
    const server = await serve((_request, response) => {
      const fill = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', fill);
      fill();
    });
    expect((await failureOf(get(`http://a.example:${server.port}/`))).code).toBe('response_too_large');
    await server.idle();
  });

  const zeros = Buffer.alloc(64 * MIB);
  const twice = gzipSync(gzipSync(zeros));
  test.each([
    ['gzip', gzipSync(zeros)],
    ['deflate', deflateSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['gzip, gzip', twice],
  ])('a compression bomb of %s is cut while it unpacks', async (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(MIB);
    const server = await serve(respondWith(bomb, { 'content-encoding': encoding }));
    expect((await failureOf(get(`http://a.example:${server.port}/`))).code).toBe('response_too_large');
  });

  test('small compressed data that is large on the wire is cut too', async () => {
    const server = await serve(respondWith(gzipSync(randomBytes(MIB)), { 'content-encoding': 'gzip' }));
    expect((await failureOf(get(`http://a.example:${server.port}/`, { maxBytes: MIB }))).code).toBe(
      'response_too_large',
    );
  });

  const text = 'hello '.repeat(1000);
  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
    ['unheard-of', Buffer.from(text)],
  ])('a %s body is unpacked', async (encoding, packed) => {
    const server = await serve(respondWith(packed, { 'content-encoding': encoding }));
    expect(Buffer.from((await get(`http://a.example:${server.port}/`)).body).toString()).toBe(text);
  });

  test('a body that does not match its declared coding is a failed response', async () => {
    const server = await serve(respondWith('plain', { 'content-encoding': 'gzip' }));
    expect((await failureOf(get(`http://a.example:${server.port}/`))).code).toBe('response_failed');
  });

  test('a response without a body is empty, whatever its headers promise', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-length': String(50 * MIB) };
    const server = await serve((_request, response) => response.writeHead(200, headers).end());
    expect((await get(`http://a.example:${server.port}/`, { method: 'HEAD' })).body).toHaveLength(0);
  });

  test('response headers beyond 64 KiB are refused', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(128 * 1024)}\r\n\r\n`));
    });
    expect((await failureOf(get(`http://a.example:${server.port}/`))).code).toBe('response_too_large');
  });
});

describe('one deadline', () => {
  const soon = { timeoutMs: 150 };
  const never = new Promise<never>(() => {});

  test('the deadline of a request covers a lookup that does not end', async () => {
    const error = await failureOf(get('http://a.example/', soon, { resolve: () => never }));
    expect(error.code).toBe('timeout');
  });

  test('the deadline of a request covers a server that sends nothing', async () => {
    const server = await serve(() => {});
    expect((await failureOf(get(`http://a.example:${server.port}/`, soon))).code).toBe('timeout');
    await server.idle();
  });

  test('the deadline of a request covers a TLS handshake that does not end', async () => {
    const server = await serveTcp((socket) => void socket.resume());
    expect((await failureOf(get(`https://a.example:${server.port}/`, soon))).code).toBe('timeout');
    await server.idle();
  });

  test('the deadline of a request covers a body that trickles', async () => {
    const server = await serve((_request, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.once('close', () => clearInterval(timer));
    });
    expect((await failureOf(get(`http://a.example:${server.port}/`, soon))).code).toBe('timeout');
    await server.idle();
  });

  test('the deadline of a request covers all redirects together, not each', async () => {
    const server = await serve(({ url = '' }, response: ServerResponse) => {
      setTimeout(() => response.writeHead(302, { location: `${url}x` }).end(), 60);
    });
    expect((await failureOf(get(`http://a.example:${server.port}/`, soon))).code).toBe('timeout');
    expect(server.accepted()).toBeLessThan(4);
  });

  test('a request ends at once when its caller cancels it, at any point', async () => {
    const server = await serve((_request, response) => void response.write('begun'));
    const controller = new AbortController();
    const egress = createEgress({ resolve: toLoopback });
    const url = `http://a.example:${server.port}/`;
    const { body } = await egress.open({ method: 'GET', url, policy: LOOPBACK, signal: controller.signal });
    const reading = (async () => {
      for await (const _ of body) controller.abort();
    })();
    expect((await failureOf(reading)).code).toBe('aborted');
    expect((await failureOf(get(url, { signal: AbortSignal.abort() }))).code).toBe('aborted');
    await server.idle();
  });
});
