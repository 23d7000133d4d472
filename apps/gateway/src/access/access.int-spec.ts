import { ApiError, routes } from '@agentclash/api';
import { profiles } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gatewayConfig } from '../index.js';
import { ADMIN, GatewayFixture, OPERATOR } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('access to the API', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await fixture.close());

  async function tokenOf(role: 'viewer' | 'member' | 'admin', expires_at?: string) {
    return await fixture.client().call(routes.tokens.create, { body: { name: role, role, expires_at } });
  }

  test('the bootstrap token is an admin of the bootstrap workspace', async () => {
    const me = await fixture.client().call(routes.workspaces.whoami);
    expect(me).toMatchObject({ role: 'admin', workspace: { slug: 'default' }, token: { name: 'bootstrap' } });
  });

  test.each([
    ['no token', {}],
    ['a token of another form', { authorization: 'Bearer hello' }],
    ['an unknown token', { authorization: `Bearer ac_${'x'.repeat(43)}` }],
    ['another scheme', { authorization: `Basic ${ADMIN}` }],
  ])('%s is refused with 401', async (_what, headers) => {
    const response = await fetch(`${fixture.gateway.url}/v1/whoami`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    expect(await response.json()).toMatchObject({ code: 'unauthenticated', status: 401 });
  });

  test('a token is returned once and stored as its hash', async () => {
    const made = await tokenOf('viewer');
    expect(made.token).toMatch(/^ac_[\w-]{43}$/);
    const { items } = await fixture.client().call(routes.tokens.list);
    expect(items.find(({ id }) => id === made.id)).toMatchObject({ name: 'viewer', role: 'viewer' });
    expect(JSON.stringify(items)).not.toContain(made.token);
    const rows = await database.query('SELECT t::text AS text FROM gateway.tokens t');
    expect(JSON.stringify(rows)).not.toContain(made.token);
  });

  test('each role may use its routes and no others', async () => {
    const viewer = fixture.client((await tokenOf('viewer')).token);
    const member = fixture.client((await tokenOf('member')).token);
    fixture.fakes.on(profiles.list, () => ({ items: [], next_cursor: null }));
    expect(await viewer.call(routes.profiles.list)).toEqual({ items: [], next_cursor: null });
    const forbidden = { code: 'forbidden', status: 403, exitCode: 77 };
    await expect(viewer.call(routes.packs.publish, { body: 'x' })).rejects.toMatchObject(forbidden);
    await expect(member.call(routes.secrets.list)).rejects.toMatchObject(forbidden);
    await expect(member.call(routes.profiles.create, { body: { name: 'p' } })).rejects.toMatchObject(
      forbidden,
    );
    await expect(member.call(routes.workspaces.create, { body: { slug: 'x' } })).rejects.toMatchObject(
      forbidden,
    );
  });

  test('a revoked or expired token is refused at once', async () => {
    const made = await tokenOf('viewer');
    const holder = fixture.client(made.token);
    await holder.call(routes.workspaces.whoami);
    await fixture.client().call(routes.tokens.revoke, { params: { token_id: made.id } });
    await expect(holder.call(routes.workspaces.whoami)).rejects.toMatchObject({ code: 'unauthenticated' });
    const short = await tokenOf('viewer', new Date(Date.now() + 3_600_000).toISOString());
    await database.query('UPDATE gateway.tokens SET expires_at = now() WHERE id = $1', [short.id]);
    const late = fixture.client(short.token).call(routes.workspaces.whoami);
    await expect(late).rejects.toMatchObject({ code: 'unauthenticated', exitCode: 77 });
  });

  test('a token whose expiry is in the past is not created', async () => {
    await expect(tokenOf('viewer', '2020-01-01T00:00:00Z')).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ field: 'expires_at' }],
    });
  });

  test('the last use of a token is stored', async () => {
    const made = await tokenOf('viewer');
    await fixture.client(made.token).call(routes.workspaces.whoami);
    const { items } = await fixture.client().call(routes.tokens.list);
    expect(items.find(({ id }) => id === made.id)?.last_used_at).not.toBeNull();
  });

  test('the operator may create workspaces and their first tokens, and nothing else', async () => {
    const operator = fixture.client(OPERATOR, 'other');
    const other = await operator.call(routes.workspaces.create, { body: { slug: 'other' } });
    expect(other).toMatchObject({ slug: 'other', name: 'other' });
    await expect(operator.call(routes.workspaces.create, { body: { slug: 'other' } })).rejects.toMatchObject({
      code: 'conflict',
    });
    const made = await operator.call(routes.tokens.create, { body: { name: 'first', role: 'admin' } });
    const me = await fixture.client(made.token).call(routes.workspaces.whoami);
    expect(me.workspace?.id).toBe(other.id);
    await expect(operator.call(routes.secrets.list)).rejects.toMatchObject({ code: 'forbidden' });
    const { items } = await operator.call(routes.workspaces.list);
    expect(items.map(({ slug }) => slug)).toEqual(['default', 'other']);
  });

  test("another workspace is indistinguishable from one that does not exist, whatever the token's role", async () => {
    const secret = await fixture
      .client(OPERATOR)
      .call(routes.workspaces.create, { body: { slug: 'secret' } });
    const member = fixture.client((await tokenOf('member')).token);
    const failures = await Promise.all(
      ['secret', secret.id, 'absent', newId(), 'x\u0000y', 'ä'.repeat(60)].flatMap((ws) => [
        member.call(routes.secrets.list, { params: { ws } }).catch((error: ApiError) => error),
        fixture
          .client()
          .call(routes.runs.list, { params: { ws } })
          .catch((error: ApiError) => error),
      ]),
    );
    const shapes = failures.map((error) => error instanceof ApiError && `${error.status} ${error.detail}`);
    expect(new Set(shapes)).toEqual(new Set(['404 There is no such workspace.']));
    const { items } = await member.call(routes.workspaces.list);
    expect(items.map(({ slug }) => slug)).toEqual(['default']);
  });

  test('a workspace is found by its id and by its slug', async () => {
    const me = await fixture.client().call(routes.workspaces.whoami);
    const ws = me.workspace?.id ?? '';
    await expect(fixture.client().call(routes.tokens.list, { params: { ws } })).resolves.toBeDefined();
    const upper = ws.toUpperCase();
    await expect(fixture.client().call(routes.tokens.list, { params: { ws: upper } })).resolves.toBeDefined();
  });

  test('a second start changes neither the workspace nor the token', async () => {
    const before = await database.query('SELECT * FROM gateway.tokens ORDER BY id');
    const again = await fixture.startAnother();
    await again.close();
    expect(await database.query('SELECT * FROM gateway.tokens ORDER BY id')).toEqual(before);
  });

  test('an invalid environment is reported variable by variable', () => {
    expect(() => gatewayConfig({ HTTP_PORT: 'x', BOOTSTRAP_ADMIN_TOKEN_SHA256: 'short' })).toThrow(
      /BLOB_FOLDER[\s\S]*HTTP_PORT[\s\S]*BOOTSTRAP_ADMIN_TOKEN_SHA256/,
    );
  });

  test('The last admin token that does not expire is not revoked, also by two requests at once', async () => {
    const operator = fixture.client(OPERATOR, 'guarded');
    await operator.call(routes.workspaces.create, { body: { slug: 'guarded' } });
    const make = (name: string, expires_at?: string) =>
      operator.call(routes.tokens.create, { body: { name, role: 'admin', expires_at } });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const [first, second, session] = [await make('first'), await make('second'), await make('ci', tomorrow)];
    const revoke = ({ id }: { id: string }) =>
      operator.call(routes.tokens.revoke, { params: { token_id: id } });
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const { revoked } = await database.transaction(async (change) => {
      // Both have read the tokens, or wait for their turn, before either is revoked.
      await change.query('SELECT 1 FROM gateway.tokens WHERE id IN ($1, $2) FOR UPDATE', [
        first.id,
        second.id,
      ]);
      const requests = Promise.allSettled([revoke(first), revoke(second)]);
      await waitFor(async () => (await database.query(waiting)).length === 2);
      return { revoked: requests };
    });
    const both = await revoked;
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'conflict',
      status: 409,
      message: expect.stringContaining('agentclash token create <name> --role admin'),
    });
    await revoke(session);
    const { items } = await operator.call(routes.tokens.list);
    expect(items).toHaveLength(1);
    const [last] = items;
    if (last === undefined) throw new Error('no token is left');
    await expect(revoke(last)).rejects.toMatchObject({ code: 'conflict' });
    await make('third');
    await revoke(last);
    expect((await operator.call(routes.tokens.list)).items.map(({ name }) => name)).toEqual(['third']);
  });
});
