import { type Client, createClient, type Route, type RouteGroup, routes } from '@agentclash/api';
import { attempts, comparisons, type Rpc, runs, scorecards } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';
import { run } from '../testing/runs.js';
import { SHARED_ROUTES } from './shared-routes.js';

const database = await freshDatabase();
const nats = await freshNats();
const DAY_MS = 86_400_000;
const NOT_VALID = {
  status: 404,
  detail: 'This link is not valid: it has expired, was revoked, or never existed.',
};

const RUN = newId();
const OTHER_RUN = newId();
/** Of the shared run, and of another one. */
const ATTEMPT = newId();
const OTHER_ATTEMPT = newId();
const LANE = newId();
const OTHER_LANE = newId();

describe('a link to a run', () => {
  let fixture: GatewayFixture;
  let workspaceId: string;

  beforeAll(async () => {
    const behind: Rpc[] = [runs, attempts, scorecards].flatMap((group) => Object.values<Rpc>(group));
    const urls = { database: database.url, nats: nats.url };
    fixture = await GatewayFixture.start(urls, { SHARE_DAYS_MAX: '30' }, [...behind, comparisons.compare]);
    const { fakes } = fixture;
    workspaceId = (await fixture.client().call(routes.workspaces.whoami)).workspace?.id ?? '';
    fakes.on(runs.get, ({ run_id }) => run({ id: run_id }));
    fakes.on(attempts.get, ({ attempt_id }) => {
      const run_id = attempt_id === ATTEMPT ? RUN : OTHER_RUN;
      return { id: attempt_id, run_id } as never;
    });
    fakes.on(runs.agent, ({ run_agent_id: id }) => ({ id, run_id: id === LANE ? RUN : OTHER_RUN }) as never);
  });
  afterAll(async () => await fixture.close());

  const create = async (expires_at?: string) =>
    await fixture.client().call(routes.shares.create, { params: { run_id: RUN }, body: { expires_at } });
  const visitor = (token: string): Client =>
    createClient({ baseUrl: fixture.gateway.url, token, workspace: workspaceId });
  const whoami = (token: string) => visitor(token).call(routes.workspaces.whoami);
  /** The status of a request of a route, its ids chosen by `ids`. */
  const statusOf = async (route: Route, token: string, ids: Record<string, string>) => {
    const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? newId());
    const query =
      route === routes.comparisons.compare ? `?baseline=${ids.run_id}&candidate=${ids.run_id}` : '';
    const body =
      route.method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    const { headers, ...init } = { headers: {}, method: route.method, ...body };
    const authorization = `Bearer ${token}`;
    const response = await fetch(`${fixture.gateway.url}${path}${query}`, {
      ...init,
      headers: { ...headers, authorization },
    });
    await response.body?.cancel();
    return response.status;
  };
  const own = () => ({
    ws: workspaceId,
    run_id: RUN,
    attempt_id: ATTEMPT,
    run_agent_id: LANE,
    sequence_number: '1',
  });
  const foreign = () => ({
    ...own(),
    run_id: OTHER_RUN,
    attempt_id: OTHER_ATTEMPT,
    run_agent_id: OTHER_LANE,
  });
  const every = Object.entries(routes as Record<string, RouteGroup>).flatMap(([group, members]) =>
    Object.entries(members).map(([name, route]) => ({ name: `${group}.${name}`, route })),
  );
  /** They need no token at all. */
  const isOpen = ({ access }: Route) => access === 'public';

  test('the token of a link is in one response only, and stored as a hash', async () => {
    const { token, path, created_by, run_id } = await create();
    expect(token).toMatch(/^acs_[\w-]{43}$/);
    expect([path, run_id, created_by]).toEqual([`/share#${token}`, RUN, 'bootstrap']);
    const rows = await database.query(`SELECT s::text AS text FROM gateway.run_shares s`);
    const { items } = await fixture.client().call(routes.shares.list, { params: { run_id: RUN } });
    for (const text of [JSON.stringify(rows), JSON.stringify(items), fixture.logged.join('')]) {
      expect(text).not.toContain(token);
    }
    expect(items[0]).toMatchObject({ run_id: RUN, created_by: 'bootstrap', last_used_at: null });
  });

  test('a link shows the results of its run, and refuses every other route and every other run', async () => {
    const { token } = await create();
    const reached: string[] = [];
    for (const { name, route } of every) {
      if (isOpen(route)) continue;
      const status = await statusOf(route, token, own());
      const isAllowed = SHARED_ROUTES.has(route);
      // A fake that is not there responds 404 too: what decides is whether the request came through.
      if (isAllowed) expect([name, status]).not.toEqual([name, 403]);
      else expect([name, [403, 404].includes(status)]).toEqual([name, true]);
      if (isAllowed) reached.push(name);
    }
    expect(reached.sort()).toEqual([
      'attempts.events',
      'attempts.get',
      'attempts.payload',
      'attempts.replay',
      'attempts.scorecard',
      'comparisons.compare',
      'runAgents.scorecard',
      'runs.agents',
      'runs.attempts',
      'runs.events',
      'runs.export',
      'runs.failures',
      'runs.get',
      'runs.ranking',
      'runs.scorecards',
      'runs.search',
      'workspaces.whoami',
    ]);
    expect([...SHARED_ROUTES.keys()].every(({ method }) => method === 'GET')).toBe(true);
  });

  test('no request by a link passes to a service unless it reads the shared run', async () => {
    const { token } = await create();
    const before = new Map([...fixture.fakes.requests].map(([subject, all]) => [subject, all.length]));
    for (const { route } of every) {
      if (!isOpen(route) && route !== routes.workspaces.whoami) {
        expect([403, 404]).toContain(await statusOf(route, token, foreign()));
        if (!SHARED_ROUTES.has(route)) expect([403, 404]).toContain(await statusOf(route, token, own()));
      }
    }
    const passed = [...fixture.fakes.requests].flatMap(([subject, all]) =>
      all.length > (before.get(subject) ?? 0) ? [subject] : [],
    );
    // To learn to which run an attempt or a run agent belongs.
    expect(passed.sort()).toEqual([attempts.get.subject, runs.agent.subject]);
  });

  test('a link reads its run, with nothing of the workspace but its id', async () => {
    const { token } = await create();
    expect(await visitor(token).call(routes.runs.get, { params: { run_id: RUN } })).toMatchObject({
      id: RUN,
    });
    expect(await whoami(token)).toMatchObject({
      workspace: { id: workspaceId, slug: 'shared', name: 'Shared run' },
      role: 'viewer',
      results_only: true,
      shared_run_id: RUN,
    });
    const byName = createClient({ baseUrl: fixture.gateway.url, token, workspace: 'default' });
    await expect(byName.call(routes.runs.get, { params: { run_id: RUN } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('an expired, a revoked and an unknown link get the same response', async () => {
    const expired = await create();
    await database.query(
      `UPDATE gateway.run_shares SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [expired.id],
    );
    const revoked = await create();
    expect(await whoami(revoked.token)).toMatchObject({ shared_run_id: RUN });
    await fixture.client().call(routes.shares.revoke, { params: { run_id: RUN, share_id: revoked.id } });
    const unknown = `acs_${'x'.repeat(43)}`;
    for (const token of [expired.token, revoked.token, unknown]) {
      await expect(whoami(token)).rejects.toMatchObject(NOT_VALID);
    }
    const { items } = await fixture.client().call(routes.shares.list, { params: { run_id: RUN } });
    expect(items.map(({ id }) => id)).not.toContain(expired.id);
    expect(items.map(({ id }) => id)).not.toContain(revoked.id);
  });

  test('a link is valid for 7 days, and never longer than the installation allows', async () => {
    const days = ({ expires_at }: { expires_at: string }) => (Date.parse(expires_at) - Date.now()) / DAY_MS;
    expect(days(await create())).toBeCloseTo(7, 2);
    const at = (count: number) => new Date(Date.now() + count * DAY_MS).toISOString();
    expect(days(await create(at(30)))).toBeCloseTo(30, 2);
    for (const expires_at of [at(31), at(-1)]) {
      await expect(create(expires_at)).rejects.toMatchObject({
        status: 422,
        errors: [{ field: 'expires_at' }],
      });
    }
  });

  test('members create and revoke links of runs of their workspace, viewers see them', async () => {
    const { token } = await fixture
      .client()
      .call(routes.tokens.create, { body: { name: 'v', role: 'viewer' } });
    const viewer = fixture.client(token);
    const params = { run_id: RUN };
    expect((await viewer.call(routes.shares.list, { params })).items.length).toBeGreaterThan(0);
    await expect(viewer.call(routes.shares.create, { params, body: {} })).rejects.toMatchObject({
      status: 403,
    });
    const { id } = await create();
    const ofAnother = { run_id: OTHER_RUN, share_id: id };
    await expect(fixture.client().call(routes.shares.revoke, { params: ofAnother })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('an installation may have no links', async () => {
    const without = await fixture.startAnother({ SHARE_DAYS_MAX: '0' });
    const response = await fetch(`${without.url}/v1/workspaces/default/runs/${RUN}/shares`, {
      method: 'POST',
      headers: { authorization: `Bearer ac_${'a'.repeat(43)}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(403);
    await without.close();
  });

  test('requests with invalid links are limited by address', async () => {
    const limited = await fixture.startAnother({ INVALID_TOKEN_RATE_LIMIT: '12' });
    const statuses: number[] = [];
    for (let guess = 0; guess < 4; guess += 1) {
      const authorization = `Bearer acs_${String(guess).repeat(43)}`;
      statuses.push((await fetch(`${limited.url}/v1/whoami`, { headers: { authorization } })).status);
    }
    // Further ones may be admitted as time passes.
    expect(statuses.slice(0, 2)).toEqual([404, 404]);
    expect(statuses).toContain(429);
    await limited.close();
  });
});
