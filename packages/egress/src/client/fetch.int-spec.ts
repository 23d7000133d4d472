import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEgress } from '../egress.js';
import {
  closeServers,
  failureOf,
  LOOPBACK,
  MIB,
  respondWith,
  serve,
  serveTcp,
  toLoopback,
} from '../testing/fixture.js';
import { guardedFetch } from './fetch.js';

afterEach(closeServers);

function fetchOf(more: Partial<Parameters<typeof guardedFetch>[1]> = {}): typeof fetch {
  const egress = createEgress({ resolve: toLoopback });
  return guardedFetch(egress, { policy: LOOPBACK, timeoutMs: 5000, maxBytes: MIB, ...more });
}

describe('a guarded fetch', () => {
  test('a guarded fetch sends a JSON body and reads a JSON response, as libraries use it', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      request.toArray().then((chunks) => response.end(gzipSync(Buffer.concat(chunks))));
    });
    const response = await fetchOf()(`http://a.example:${server.port}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Connection: 'keep-alive' },
      body: JSON.stringify({ a: 1 }),
    });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ a: 1 });
  });

  test('a guarded fetch streams events and closes the connection when the reader leaves', async () => {
    const server = await serve((_request, response) => void response.write('data: 1\n\n'));
    const { body } = await fetchOf()(`http://a.example:${server.port}/`);
    const reader = body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
    await reader?.cancel();
    await server.idle();
  });

  test('a guarded fetch returns statuses without a body', async () => {
    const server = await serve((_request, response) => response.writeHead(204).end());
    expect(await fetchOf()(`http://a.example:${server.port}/`)).toMatchObject({ status: 204, body: null });
    await server.idle();
  });

  test('a guarded fetch fails on requests that the platform cannot represent, and leaves nothing open', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 999 Odd\r\nContent-Length: 5\r\n\r\na'));
    });
    expect((await failureOf(fetchOf()(`http://a.example:${server.port}/`))).code).toBe('response_failed');
    await server.idle();
  });

  test('a guarded fetch refuses targets that the policy does not admit, and is aborted by its signal', async () => {
    const server = await serve(respondWith('no'));
    const url = `http://a.example:${server.port}/`;
    const error = await failureOf(fetchOf({ policy: { kind: 'operator' } })(url));
    expect(error).toMatchObject({ code: 'egress_blocked', reason: 'loopback' });
    expect((await failureOf(fetchOf()(url, { signal: AbortSignal.abort() }))).code).toBe('aborted');
    expect(server.accepted()).toBe(0);
  });
});
