import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { waitFor } from '@agentclash/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_EGRESS_SETTINGS } from '../guard/policy.js';
import { closeServers, respondWith, serve, serveTcp } from '../testing/fixture.js';
import { connectThrough, proxied, throughProxy } from '../testing/proxied.js';
import { selfSigned } from '../testing/self-signed.js';

afterEach(closeServers);

const PUBLIC_ONLY = { kind: 'pack', allowlist: [] } as const;

describe('a plain request', () => {
  test('a plain request arrives with its path, headers and body, and without those of the connection', async () => {
    const server = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { url, method, headers } = request;
        response.end(JSON.stringify({ url, method, headers, body: Buffer.concat(chunks).toString() }));
      });
    });
    const { port, records } = await proxied();
    const { status, body } = await throughProxy(port, `http://api.example:${server.port}/a?b=1`, {
      method: 'PUT',
      headers: { 'X-A': '1', 'Proxy-Authorization': 'Basic x', 'X-Hop': '2', Connection: 'x-hop' },
      body: 'content',
    });
    expect(status).toBe(200);
    const seen = JSON.parse(body);
    expect(seen).toMatchObject({ url: '/a?b=1', method: 'PUT', body: 'content' });
    expect(seen.headers).toMatchObject({ 'x-a': '1', host: `api.example:${server.port}` });
    expect(Object.keys(seen.headers)).not.toEqual(expect.arrayContaining(['proxy-authorization']));
    expect(seen.headers['x-hop']).toBeUndefined();
    expect(records).toEqual([
      {
        event_type: 'network.request.completed',
        payload: {
          method: 'PUT',
          scheme: 'http',
          host: 'api.example',
          port: server.port,
          hops: 0,
          status: 200,
          bytes: body.length,
          duration_ms: expect.any(Number),
        },
      },
    ]);
  });

  test.each([
    ['a private literal', 'http://10.0.0.1/', 'private'],
    ['a literal of this machine', 'http://127.0.0.1/', 'loopback'],
    ['a decimal literal', 'http://2130706433/', 'loopback'],
    ['a mapped IPv6 literal', 'http://[::ffff:127.0.0.1]/', 'loopback'],
    ['0.0.0.0', 'http://0.0.0.0/', 'unspecified'],
    ['the name of this machine', 'http://localhost/', 'loopback'],
    ['metadata', 'http://169.254.169.254/latest', 'metadata'],
    ['another scheme', 'ftp://a.example/', 'scheme'],
    ['TLS outside a tunnel', 'https://a.example/', 'scheme'],
    ['credentials in the URL', 'http://a@b.example/', 'userinfo'],
    ['a path instead of a URL', '/etc', 'invalid_url'],
  ])('a plain request to %s is refused and reported', async (_what, url, reason) => {
    const { port, records } = await proxied({ policy: PUBLIC_ONLY });
    expect(await throughProxy(port, url)).toMatchObject({ status: 403, body: `egress_blocked: ${reason}\n` });
    expect(records).toMatchObject([{ event_type: 'network.request.blocked', payload: { reason } }]);
  });

  test('a plain request to a name with one bad address among good ones is refused', async () => {
    const { port } = await proxied(
      { policy: PUBLIC_ONLY },
      { resolve: async () => ['93.184.216.34', '10.0.0.1'] },
    );
    expect((await throughProxy(port, 'http://a.example/')).body).toBe('egress_blocked: private\n');
  });

  test('a plain request to a name that changes its address is sent to the checked address', async () => {
    const server = await serve(respondWith('mine'));
    const addresses = [['127.0.0.1'], ['10.0.0.1']];
    let lookups = 0;
    const { port } = await proxied({}, { resolve: async () => addresses[lookups++] ?? [] });
    expect((await throughProxy(port, `http://a.example:${server.port}/`)).body).toBe('mine');
    expect(lookups).toBe(1);
    expect((await throughProxy(port, `http://a.example:${server.port}/`)).status).toBe(403);
  });

  test('a plain request gets the redirect itself as its response, and the next request is checked again', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    const { port } = await proxied();
    const { status, headers } = await throughProxy(port, `http://a.example:${server.port}/`);
    expect(status).toBe(302);
    expect((await throughProxy(port, String(headers.location))).status).toBe(403);
  });

  test('a plain request whose Host differs from the host of its URL is refused', async () => {
    const server = await serve(respondWith('never'));
    const { port } = await proxied();
    const result = await throughProxy(port, `http://a.example:${server.port}/`, {
      headers: { Host: 'b.example' },
    });
    expect(result).toMatchObject({ status: 403, body: 'egress_blocked: host\n' });
    expect(server.accepted()).toBe(0);
  });

  test('a plain request that the policy stops has caused no lookup and no connection', async () => {
    let lookups = 0;
    const seen: unknown[] = [];
    const { port, records } = await proxied(
      {
        mayLeave: ({ body, url }) => {
          seen.push(url);
          return !(Buffer.from(body ?? '').includes('planted') || url.includes('planted'));
        },
      },
      { resolve: async () => [['127.0.0.1'], lookups++][0] as string[] },
    );
    expect((await throughProxy(port, 'http://planted.example/')).status).toBe(403);
    const posted = await throughProxy(port, 'http://a.example/', { method: 'POST', body: 'x planted x' });
    expect(posted.status).toBe(403);
    expect((await connectThrough(port, 'planted.example:443')).status).toBe(403);
    expect(lookups).toBe(0);
    expect(records.map(({ payload }) => 'reason' in payload && payload.reason)).toEqual(
      Array(3).fill('policy_violation'),
    );
  });
});

describe('a tunnel', () => {
  const certificate = selfSigned(['a.example']);

  test('a tunnel carries TLS to the requested host, end to end', async () => {
    const server = await serve(respondWith('secret'), certificate);
    const { port, records } = await proxied();
    const { socket } = await connectThrough(port, `a.example:${server.port}`);
    const secure = tlsConnect({ socket, servername: 'a.example', rejectUnauthorized: false });
    secure.write('GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of secure) text += String(chunk);
    expect(text).toContain('secret');
    await waitFor(() => records.length > 0);
    expect(records).toMatchObject([
      {
        event_type: 'network.request.completed',
        payload: { method: 'CONNECT', scheme: 'https', host: 'a.example', port: server.port, status: 200 },
      },
    ]);
  });

  test.each(['b.example', 'a.example.b.example'])(
    'a tunnel whose TLS has the server name %s instead is cut before a byte has left',
    async (name) => {
      let bytes = 0;
      const server = await serveTcp((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
      const { port, records } = await proxied();
      const { socket } = await connectThrough(port, `a.example:${server.port}`);
      const closed = once(socket, 'close');
      tlsConnect({ socket, servername: name, rejectUnauthorized: false }).on('error', () => {});
      await closed;
      await server.idle();
      expect(bytes).toBe(0);
      expect(records).toMatchObject([{ event_type: 'network.request.blocked', payload: { reason: 'host' } }]);
    },
  );

  /** A well-formed ClientHello whose session id is a text. */
  function helloWith(sessionId: string): Buffer {
    const id = Buffer.from(sessionId);
    const body = Buffer.concat([
      Buffer.from([3, 3]),
      Buffer.alloc(32, 7),
      ...[Buffer.from([id.length]), id],
      Buffer.from([0, 2, 0x13, 0x01, 1, 0]),
    ]);
    const length = body.length + 4;
    const records = [22, 3, 1, length >> 8, length & 255, 1, 0, body.length >> 8, body.length & 255];
    return Buffer.concat([Buffer.from(records), body]);
  }

  async function received(by: (authority: string) => Promise<{ socket: Socket }>, reply: string) {
    let seen = '';
    const server = await serveTcp((socket) => {
      socket.on('data', (chunk) => {
        seen += chunk.toString('latin1');
        socket.write(reply);
      });
    });
    const { socket } = await by(`127.0.0.1:${server.port}`);
    return { socket, seen: () => seen, server };
  }

  test('a tunnel to an address carries no commands of another protocol behind a ClientHello', async () => {
    const { port, records } = await proxied();
    const { socket, seen, server } = await received(
      (authority) => connectThrough(port, authority),
      '-ERR unknown command\r\n',
    );
    const closed = once(socket, 'close');
    socket.write(Buffer.concat([helloWith('x'), Buffer.from('\r\nFLUSHALL\r\nSET x 1\r\n')]));
    await closed;
    await server.idle();
    expect(seen()).not.toContain('FLUSHALL');
    expect(records).toMatchObject([{ payload: { method: 'CONNECT', reason: 'scheme' } }]);
  });

  test('a tunnel to an address carries no commands of another protocol within a ClientHello', async () => {
    const { port, records } = await proxied();
    const { socket, seen, server } = await received(
      (authority) => connectThrough(port, authority),
      '-ERR unknown command\r\n',
    );
    const closed = once(socket, 'close');
    socket.write(helloWith('\r\nFLUSHALL\r\n'));
    await closed;
    await server.idle();
    expect(seen()).toBe('');
    expect(records).toMatchObject([{ payload: { method: 'CONNECT', reason: 'scheme' } }]);
  });

  test('a tunnel to a name needs TLS with that server name', async () => {
    const server = await serve(respondWith('secret'), certificate);
    const { port, records } = await proxied();
    const { socket } = await connectThrough(port, `a.example:${server.port}`);
    const closed = once(socket, 'close');
    socket.write(helloWith('x'));
    await closed;
    expect(records).toMatchObject([{ payload: { method: 'CONNECT', reason: 'host' } }]);
  });

  test.each([
    ['10.0.0.1:443', 'private'],
    ['169.254.169.254:80', 'metadata'],
    ['a.example/x:443', 'invalid_url'],
    ['a.example', 'invalid_url'],
    ['a@b.example:443', 'userinfo'],
    ['a.example:8443', 'port'],
    ['a.example:0', 'port'],
  ])('a tunnel to %s is refused as %s', async (authority, reason) => {
    const settings = { ...DEFAULT_EGRESS_SETTINGS, ports: [80, 443] };
    const { port, records } = await proxied({ policy: PUBLIC_ONLY }, { settings });
    expect((await connectThrough(port, authority)).status).toBe(403);
    expect(records).toMatchObject([{ payload: { method: 'CONNECT', reason } }]);
  });

  test('a tunnel may carry plain HTTP, which is checked and logged like any other request', async () => {
    const server = await serve(respondWith('plain'));
    const { port, records } = await proxied();
    const { socket } = await connectThrough(port, `a.example:${server.port}`);
    socket.write(`GET /x HTTP/1.1\r\nHost: a.example:${server.port}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*\r\nplain\r\n/);
    expect(records).toMatchObject([{ payload: { method: 'GET', scheme: 'http', host: 'a.example' } }]);
  });

  test.each(['SSH-2.0-OpenSSH_9\r\n', '\x00\x01\x02'])(
    'a tunnel carries no protocol but TLS and HTTP: %j',
    async (greeting) => {
      let bytes = 0;
      const server = await serveTcp((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
      const { port } = await proxied();
      const { socket } = await connectThrough(port, `a.example:${server.port}`);
      socket.write(greeting);
      const [reply] = (await once(socket, 'data')) as [Buffer];
      expect(reply.toString()).toContain('HTTP/1.1 400 ');
      await server.idle();
      expect(bytes).toBe(0);
    },
  );
});

describe('limits', () => {
  test('more connections than allowed are refused, and one that ends frees its slot', async () => {
    const { port } = await proxied({ limits: { connectionsMax: 1 } });
    const held = await connectThrough(port, `a.example:${(await serveTcp(() => {})).port}`);
    expect((await connectThrough(port, 'a.example:443')).status).toBe(503);
    held.socket.destroy();
    const server = await serve(respondWith('ok'));
    await expect(
      retried(() => throughProxy(port, `http://a.example:${server.port}/`)),
    ).resolves.toMatchObject({
      status: 200,
    });
  });

  test('bytes beyond the allowance of the proxy break off, in any direction', async () => {
    const server = await serve(respondWith(Buffer.alloc(5_000)));
    const { port, records } = await proxied({ limits: { bytesMax: 8_000 } });
    expect((await throughProxy(port, `http://a.example:${server.port}/`)).status).toBe(200);
    await expect(throughProxy(port, `http://a.example:${server.port}/`)).rejects.toThrow();
    expect(
      (await throughProxy(port, `http://a.example:${server.port}/`, { method: 'POST', body: 'x' })).body,
    ).toBe('egress_blocked: bytes_limit\n');
    expect(records.length).toBe(3);
  });

  test('no request is handled while the records are not taken', async () => {
    const server = await serve(respondWith('ok'));
    let take = () => {};
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    let awaited = 0;
    const drained = () => {
      awaited += 1;
      return taken;
    };
    const { port } = await proxied({ drained });
    const response = throughProxy(port, `http://a.example:${server.port}/`);
    const other = connectThrough(port, 'a.example:1');
    await waitFor(() => awaited === 2);
    expect(server.accepted()).toBe(0);
    take();
    expect((await response).status).toBe(200);
    expect((await other).status).toBe(502);
  });

  test('a request body that is too large to be looked at does not leave', async () => {
    const server = await serve(respondWith('never'));
    const { port } = await proxied({ limits: { requestBytesMax: 10 } });
    const result = await throughProxy(port, `http://a.example:${server.port}/`, {
      method: 'POST',
      body: 'x'.repeat(11),
    });
    expect(result.status).toBe(413);
    expect(server.accepted()).toBe(0);
  });

  test('a tunnel on which nothing moves is closed', async () => {
    const server = await serveTcp(() => {});
    const { port } = await proxied({ limits: { idleMs: 100 } });
    const { socket } = await connectThrough(port, `a.example:${server.port}`);
    await expect(once(socket, 'close')).resolves.toEqual([false]);
    await server.idle();
  });

  test('closing the proxy ends its connections', async () => {
    const server = await serveTcp(() => {});
    const { proxy, port } = await proxied();
    const { socket } = await connectThrough(port, `a.example:${server.port}`);
    const closed = once(socket, 'close');
    proxy.close();
    proxy.close();
    await expect(closed).resolves.toEqual([false]);
    await server.idle();
  });
});

/** Repeats once where the slot is not free yet. */
async function retried<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    const result = await send();
    if (result.status !== 503) return result;
  }
}
