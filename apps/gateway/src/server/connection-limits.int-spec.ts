import { connect, type Socket } from 'node:net';
import { routes } from '@agentclash/api';
import { ContractError, profiles, runs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN, GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();

const SETTINGS = {
  BODY_SECONDS_MAX: '1',
  BODIES_MAX: '2',
  CONNECTIONS_MAX: '40',
  STREAM_CHECK_SECONDS: '1',
};
const PROFILES = '/v1/workspaces/default/runtime-profiles';

describe('the cost of a client before and while it is admitted', () => {
  let fixture: GatewayFixture;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url }, SETTINGS);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => await fixture.close());

  /** Opens a connection, sends text and collects the response. */
  function send(text: string): { socket: Socket; received: () => string; closed: Promise<void> } {
    const { hostname, port } = new URL(fixture.gateway.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let all = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk;
    });
    socket.on('error', () => {});
    socket.write(text);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    return { socket, received: () => all, closed };
  }
  const request = (headers: readonly string[], body = '', target = PROFILES) =>
    [`POST ${target} HTTP/1.1`, 'host: x', ...headers, '', body].join('\r\n');
  const unfinished = (token: string) =>
    request(
      [`authorization: Bearer ${token}`, 'content-type: application/json', 'content-length: 500000'],
      'x'.repeat(1_000),
    );
  const unknownToken = () => `ac_${newId().replaceAll('-', '').padEnd(43, 'z')}`;

  test('a request with an invalid token is refused before its body has arrived', async () => {
    const { received } = send(unfinished(unknownToken()));
    await waitFor(() => received().includes('unauthenticated'));
    expect(received()).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('the body of an admitted request that does not arrive in time is refused', async () => {
    const { received } = send(unfinished(ADMIN));
    await waitFor(() => received().includes('did not arrive within 1 s'));
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('the concurrently read bodies of one token are limited, and finished ones free their slots', async () => {
    const three = [1, 2, 3].map(() => send(unfinished(ADMIN)));
    await waitFor(() => three.some(({ received }) => received().includes('429 ')));
    await waitFor(() => three.filter(({ received }) => received().includes('400 ')).length === 2);
    fixture.fakes.on(profiles.create, () => {
      throw new ContractError('conflict', 'It exists.');
    });
    const created = fixture.client().call(routes.profiles.create, { body: { name: 'p' } });
    await expect(created).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a body that is refused as too large frees its slot with the response', async () => {
    const body = JSON.stringify('x'.repeat(1_048_577));
    const headers = { 'content-type': 'application/json' };
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push((await fixture.request(PROFILES, { method: 'POST', headers, body })).status);
    expect(statuses).toEqual([413, 413, 413, 413]);
  });

  test('connections beyond the limit are closed at once, and one that is freed is served again', async () => {
    const all = Array.from({ length: 60 }, () => send('GET /healthz HTTP/1.1\r\nhost: x\r\n'));
    let closed = 0;
    for (const each of all)
      void each.closed.then(() => {
        closed += 1;
      });
    await waitFor(() => closed >= 20);
    for (const { socket } of all) socket.destroy();
    await waitFor(async () => {
      const health = await fetch(`${fixture.gateway.url}/healthz`).catch(() => undefined);
      return health?.status === 200;
    });
  });

  test('invalid tokens of one address are limited, while a recently valid token is not', async () => {
    const other = await fixture.startAnother({ INVALID_TOKEN_RATE_LIMIT: '12' });
    const whoami = (token: string) =>
      fetch(`${other.url}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } });
    expect((await whoami(ADMIN)).status).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await whoami(unknownToken())).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await whoami(ADMIN)).status).toBe(200);
    await other.close();
  });

  test('invalid HTTP, and a second Host header, get a problem document with security headers', async () => {
    const cases: [text: string, status: string][] = [
      ['HELLO\r\n\r\n', '400'],
      [`GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
      ['GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n', '417'],
      ['GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n', '400'],
    ];
    for (const [text, status] of cases) {
      const { received } = send(text);
      await waitFor(() => received().includes('"code"'));
      expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(received().toLowerCase()).toContain('x-content-type-options: nosniff');
      expect(received().toLowerCase()).toContain('application/problem+json');
    }
  });

  describe('an open event stream', () => {
    const runId = newId();

    async function streamOf(token: string): Promise<{ ended: Promise<void> }> {
      fixture.fakes.on(runs.events, () => ({ items: [], is_end: false }));
      const response = await fetch(`${fixture.gateway.url}/v1/workspaces/default/runs/${runId}/events`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(200);
      const read = async () => {
        for await (const _chunk of response.body ?? []);
      };
      return { ended: read() };
    }
    const tokenOf = (expires_at?: string) =>
      fixture.client().call(routes.tokens.create, { body: { name: 'reader', role: 'viewer', expires_at } });

    test('an open event stream ends when its token is revoked', async () => {
      const made = await tokenOf();
      const { ended } = await streamOf(made.token);
      await fixture.client().call(routes.tokens.revoke, { params: { token_id: made.id } });
      await ended;
    });

    test('an open event stream ends when its token expires', async () => {
      const made = await tokenOf(new Date(Date.now() + 1_500).toISOString());
      const { ended } = await streamOf(made.token);
      await ended;
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(made.expires_at ?? ''));
    });
  });
});
