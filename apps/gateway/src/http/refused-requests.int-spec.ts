import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { openApiDocument } from '@agentclash/api';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN, GatewayFixture, OPERATOR } from '../testing/gateway-fixture.js';

interface Operation {
  id: string;
  method: string;
  target: string;
  access: string;
  hasBody: boolean;
  statuses: string[];
}

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
/** An invalid id. */
const NAMES: Readonly<Record<string, string>> = {
  ws: 'default',
  key: 'KEY',
  name: 'main',
  pack: 'pack',
  sequence_number: '1',
  output: '0',
};

/** The required queries of these operations. */
const QUERIES: Readonly<Record<string, string>> = {
  comparisons_compare: `?baseline=${UNKNOWN}&candidate=${UNKNOWN}`,
  runs_findIds: '?part=01900000',
  runs_export: '?format=jsonl',
  runs_search: '?q=text',
};

const operations = Object.entries(
  openApiDocument('1.0.0').paths as Record<string, Record<string, Described>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, about]): Operation => ({
      id: about.operationId,
      method: method.toUpperCase(),
      target: path.replace(/\{(\w+)\}/g, (_all, name: string) => NAMES[name] ?? UNKNOWN),
      access: about['x-access'],
      hasBody: about.requestBody !== undefined,
      statuses: Object.keys(about.responses),
    }),
  ),
);

interface Described {
  operationId: string;
  'x-access': string;
  requestBody?: object;
  responses: object;
}

const database = await freshDatabase();
const nats = await freshNats();
const silentNats = await freshNats();

/** `operation status` of those whose response is a problem with the seconds until a retry. */
async function refused(fixture: GatewayFixture, operations: readonly Operation[]): Promise<string[]> {
  const responses = operations.map(async ({ id, method, target, access, hasBody }) => {
    const response = await fetch(`${fixture.gateway.url}${target}${QUERIES[id] ?? ''}`, {
      method,
      headers: {
        authorization: `Bearer ${access === 'operator' ? OPERATOR : ADMIN}`,
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      ...(hasBody && { body: '{}' }),
    });
    const problem = (await response.json()) as { status?: number };
    const hasRetryAfter =
      Number(response.headers.get('retry-after')) > 0 && problem.status === response.status;
    return `${id} ${hasRetryAfter ? response.status : `${response.status}, not to be tried again`}`;
  });
  return await Promise.all(responses);
}

function declaring(status: string): Operation[] {
  return operations.filter(({ statuses }) => statuses.includes(status));
}

function allWith(status: string, request: readonly Operation[]): string[] {
  return request.map(({ id }) => `${id} ${status}`);
}

describe('a token whose rate is used up', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url }, { RATE_LIMIT: '1' });
    for (const { method, target, access } of operations) {
      if (target === '/v1/whoami' || access === 'operator' || target === '/v1/token-exchange') {
        const token = access === 'operator' ? OPERATOR : ADMIN;
        await fixture.request(target, { method, headers: { authorization: `Bearer ${token}` } });
      }
    }
  });
  afterAll(async () => await fixture.close());

  test('exactly the routes that declare 429 are rate-limited', async () => {
    const limited = declaring('429');
    expect(limited.length).toBeGreaterThan(80);
    expect(await refused(fixture, limited)).toEqual(allWith('429', limited));
    for (const { target } of operations.filter((each) => !limited.includes(each))) {
      expect((await fixture.request(target)).status).not.toBe(429);
    }
  });
});

describe('while the services behind the gateway are unreachable', () => {
  let fixture: GatewayFixture;
  let link: Link;

  beforeAll(async () => {
    const url = new URL(database.url);
    link = await Link.to(Number(url.port));
    url.port = String(link.port);
    // Names the server's Unix socket, which bypasses the link.
    url.searchParams.delete('host');
    fixture = await GatewayFixture.start({ database: url.href, nats: silentNats.url }, {}, []);
  });
  afterAll(async () => {
    link.cut();
    await fixture.close();
  });

  test('every read from a service gets the status 503 without the bus', async () => {
    const kept = declaring('503').filter(
      ({ method, target, id }) =>
        method === 'GET' && target.includes('/workspaces/default/') && !id.startsWith('tokens_'),
    );
    expect(kept.length).toBeGreaterThan(35);
    expect(await refused(fixture, kept)).toEqual(allWith('503', kept));
  });

  test('every route that requires a workspace token gets the status 503 without the database', async () => {
    link.cut();
    const request = declaring('503').filter(({ access }) => access !== 'public' && access !== 'operator');
    expect(request.length).toBeGreaterThan(80);
    expect(await refused(fixture, request)).toEqual(allWith('503', request));
  });
});

/** A proxy to a server of this machine that a test can cut, which makes the server unreachable. */
class Link {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<Link> {
    const server = createServer();
    const link = new Link(server);
    server.on('connection', (near) => link.join(near, connect(port, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return link;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Closes open connections and refuses new ones. Idempotent. */
  cut(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    }
    // A cut ends both sides.
    void pipeline(near, far, near).catch(() => undefined);
  }
}
