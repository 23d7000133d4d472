import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { NetworkRecord } from './guard/record.js';
import { closeServers, failureOf, get, serve } from './testing/fixture.js';

afterEach(closeServers);

describe('redirects on the wire', () => {
  test('credentials are not sent to another port, nor again after a redirect back', async () => {
    const seen: Record<string, unknown>[] = [];
    const note = ({ headers }: IncomingMessage) => {
      seen.push({ auth: headers.authorization, own: headers['x-own'], trace: headers['x-trace'] });
    };
    let home = 0;
    const destination = await serve((request, response) => {
      note(request);
      response.writeHead(307, { location: `http://a.example:${home}/back` }).end();
    });
    const server = await serve((request, response) => {
      note(request);
      if (request.url === '/back') response.end('home');
      else response.writeHead(307, { location: `http://a.example:${destination.port}/` }).end();
    });
    home = server.port;
    const records: NetworkRecord[] = [];
    const result = await get(`http://a.example:${home}/`, {
      headers: { Authorization: 'Bearer t', 'X-Own': 's', 'X-Trace': '1' },
      secretHeaders: ['x-own'],
      onHop: (record) => records.push(record),
    });
    expect(seen).toEqual([
      { auth: 'Bearer t', own: 's', trace: '1' },
      { auth: undefined, own: undefined, trace: '1' },
      { auth: undefined, own: undefined, trace: '1' },
    ]);
    expect(result).toMatchObject({ url: `http://a.example:${home}/back`, hops: 2 });
    expect(records.map(({ payload }) => [payload.port, 'status' in payload && payload.status])).toEqual([
      [home, 307],
      [destination.port, 307],
      [home, 200],
    ]);
  });

  test('a sixth redirect is refused', async () => {
    const server = await serve(({ url = '' }, response) =>
      response.writeHead(302, { location: `/${Number(url.slice(1)) + 1}` }).end(),
    );
    expect((await failureOf(get(`http://a.example:${server.port}/0`))).code).toBe('too_many_redirects');
    expect(server.accepted()).toBe(6);
  });

  test.each([
    ['//u@b.example/', 'userinfo'],
    ['///b.example/', 'host'],
    ['http:b.example', 'host'],
    ['/\\b.example', 'invalid_url'],
    ['/a b', 'invalid_url'],
    ['gopher://b.example/', 'scheme'],
    ['http://metadata.google.internal/', 'metadata'],
    ['http://[::ffff:a9fe:a9fe]/', 'metadata'],
    ['http://0x0a000001/', 'private'],
  ])('a redirect to %s is refused: %s', async (location, reason) => {
    const server = await serve((_request, response) => response.writeHead(302, { location }).end());
    const records: NetworkRecord[] = [];
    const error = await failureOf(
      get(`http://a.example:${server.port}/`, { onHop: (record) => records.push(record) }),
    );
    expect(error).toMatchObject({ code: 'egress_blocked', reason });
    expect(records.at(-1)).toMatchObject({ event_type: 'network.request.blocked', payload: { reason } });
  });

  test('a UTF-8 location is followed as its percent-encoded form', async () => {
    const server = await serve(({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: Buffer.from('/ä').toString('latin1') }).end();
      else response.end(url);
    });
    const { body } = await get(`http://a.example:${server.port}/`);
    expect(Buffer.from(body).toString()).toBe('/%C3%A4');
  });

  test('a secret bound to an origin does not follow to another host', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `http://b.example:${server.port}/` }).end(),
    );
    const request = {
      secretOrigins: [[`http://*.EXAMPLE:${server.port}`], [`http://a.*:${server.port}`]],
      secretHeaders: ['x-key'],
      headers: { 'X-Key': 's' },
    };
    const [redirected, direct] = ['a', 'c'].map((name) => `http://${name}.example:${server.port}`);
    expect(await failureOf(get(`${redirected}/`, request))).toMatchObject({
      code: 'secret_host_denied',
      origin: undefined,
    });
    expect(await failureOf(get(`${direct}/`, request))).toMatchObject({
      code: 'secret_host_denied',
      origin: direct,
    });
    expect(server.accepted()).toBe(1);
  });

  test('a secret bound to an origin does not follow to another port or scheme of its host', async () => {
    const other = await serve((_request, response) => response.end('reached'));
    const server = await serve(({ url }, response) => {
      const location =
        url === '/port' ? `http://a.example:${other.port}/` : `https://a.example:${other.port}/`;
      response.writeHead(302, { location }).end();
    });
    const request = {
      secretOrigins: [[`http://a.example:${server.port}`]],
      secretHeaders: ['x-key'],
      headers: { 'X-Key': 's' },
    };
    for (const path of ['/port', '/scheme']) {
      const failure = await failureOf(get(`http://a.example:${server.port}${path}`, request));
      expect(failure.code).toBe('secret_host_denied');
    }
    expect(other.accepted()).toBe(0);
  });

  test('a secret that may go to two origins is dropped between them', async () => {
    const seen: unknown[] = [];
    const second = await serve(({ headers }, response) => {
      seen.push(headers['x-key']);
      response.end();
    });
    const first = await serve(({ headers }, response) => {
      seen.push(headers['x-key']);
      response.writeHead(302, { location: `http://a.example:${second.port}/` }).end();
    });
    await get(`http://a.example:${first.port}/`, {
      secretOrigins: [[`http://a.example:${first.port}`, `http://a.example:${second.port}`]],
      secretHeaders: ['x-key'],
      headers: { 'X-Key': 's' },
    });
    expect(seen).toEqual(['s', undefined]);
  });
});
