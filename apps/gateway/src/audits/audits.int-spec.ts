import { type PackAudit, routes } from '@agentclash/api';
import { audits, ContractError } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN, GatewayFixture, OPERATOR } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const version_id = newId();
const audit_id = newId();
const AT = '2026-03-01T12:00:00.000Z';
const AUDIT: PackAudit = {
  ...{ id: audit_id, challenge_pack_id: newId(), challenge_pack_version_id: version_id },
  ...{ slug: 'sums', version_number: 1, digest: 'sha256:x', status: 'queued', quick: false, seed: null },
  ...{ progress: null, certificate: null, error: null },
  ...{ created_at: AT, created_by: 'bootstrap', started_at: null, finished_at: null },
};
const POLICY = { require_audit: true, min_strength: 0.8, max_age_days: 90 };
const WS = '/v1/workspaces/default';
const AUDITS = `${WS}/challenge-pack-versions/${version_id}/audits`;
const messages = Object.values(audits);

describe('audits over HTTP', () => {
  let fixture: GatewayFixture;
  const tokens: Record<string, string> = { admin: ADMIN, operator: OPERATOR };

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
    for (const role of ['viewer', 'member'] as const) {
      const made = await fixture.client().call(routes.tokens.create, { body: { name: role, role } });
      tokens[role] = made.token;
    }
  });
  beforeEach(() => {
    fixture.fakes.on(audits.create, ({ quick }) => ({ created: true, audit: { ...AUDIT, quick } }));
    fixture.fakes.on(audits.list, () => ({ items: [AUDIT], next_cursor: 'next' }));
    fixture.fakes.on(audits.get, () => ({ ...AUDIT, report: null }));
    fixture.fakes.on(audits.cancel, () => ({ ...AUDIT, status: 'cancelled' as const, finished_at: AT }));
    fixture.fakes.on(audits.policy, () => ({ require_audit: false, updated_at: null }));
    fixture.fakes.on(audits.setPolicy, ({ policy }) => ({ ...policy, updated_at: AT }));
  });
  afterAll(async () => await fixture.close());

  const ofVersion = { params: { version_id } };
  const ofAudit = { params: { version_id, audit_id } };
  const json = (method: string, body: string | object, headers: Record<string, string> = {}) => ({
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const received = () => messages.reduce((sum, message) => sum + fixture.fakes.count(message), 0);

  test('an audit is created with its options and the name of its author', async () => {
    const response = await fixture.request(AUDITS, json('POST', { quick: true }));
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 201,
      body: { ...AUDIT, quick: true },
    });
    expect(fixture.fakes.last(audits.create)).toEqual({
      ...{ workspace_id: expect.any(String), version_id, quick: true, actor: 'bootstrap' },
    });
    await fixture.client(tokens.member).call(routes.audits.create, { ...ofVersion, body: {} });
    expect(fixture.fakes.last(audits.create)).toMatchObject({ quick: false, actor: 'member' });
  });

  test('one that is under way is returned with the status 200, and one with other options is a conflict that names it', async () => {
    fixture.fakes.on(audits.create, () => ({ created: false, audit: AUDIT }));
    expect((await fixture.request(AUDITS, json('POST', {}))).status).toBe(200);
    fixture.fakes.on(audits.create, () => {
      throw new ContractError('conflict', 'Another audit is running.', { audit_id });
    });
    const response = await fixture.request(AUDITS, json('POST', {}));
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: 'conflict', audit_id, detail: expect.any(String) });
  });

  test('a request that is repeated with its key creates one audit', async () => {
    const before = fixture.fakes.count(audits.create);
    const send = async (body: object) =>
      await fixture.request(AUDITS, json('POST', body, { 'idempotency-key': 'audit' }));
    const [first, second] = [await send({ quick: true }), await send({ quick: true })];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    expect(fixture.fakes.count(audits.create)).toBe(before + 1);
    expect((await send({ quick: false })).status).toBe(409);
  });

  test('audits are listed in pages', async () => {
    const page = await fixture.client().call(routes.audits.list, {
      ...ofVersion,
      query: { limit: 1, cursor: 'here' },
    });
    expect(page).toEqual({ items: [AUDIT], next_cursor: 'next' });
    expect(fixture.fakes.last(audits.list)).toMatchObject({ version_id, limit: 1, cursor: 'here' });
    for (const query of ['limit=0', 'limit=1000', 'limit=a', 'colour=red']) {
      const refused = await fixture.request(`${AUDITS}?${query}`);
      expect({ query, status: refused.status }).toEqual({ query, status: 422 });
    }
  });

  test('an audit is read and cancelled by its version and id', async () => {
    expect(await fixture.client().call(routes.audits.get, ofAudit)).toEqual({ ...AUDIT, report: null });
    expect(fixture.fakes.last(audits.get)).toMatchObject({ version_id, audit_id });
    expect(await fixture.client().call(routes.audits.cancel, ofAudit)).toMatchObject({ status: 'cancelled' });
    expect(fixture.fakes.last(audits.cancel)).toMatchObject({ version_id, audit_id });
    fixture.fakes.on(audits.cancel, () => {
      throw new ContractError('conflict', 'The audit is completed.');
    });
    await expect(fixture.client().call(routes.audits.cancel, ofAudit)).rejects.toMatchObject({ status: 409 });
  });

  test('a certificate keeps each of its fields on its way', async () => {
    const certificate = {
      ...{ audit_id, result: 'passed' as const, quick: false, strength: null, cheats_tried: 60 },
      ...{ cheats_gained: 0, digest: 'sha256:x', version: '0.1.0', audited_at: AT },
    };
    const completed = { ...AUDIT, status: 'completed' as const, certificate, report: null };
    fixture.fakes.on(audits.get, () => completed);
    expect(await fixture.client().call(routes.audits.get, ofAudit)).toEqual(completed);
  });

  test.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${audit_id}`],
    ['DELETE', `/${audit_id}`],
  ])(
    '%s …/audits%s of what does not exist is 404, and with an id that is none 404 or 422',
    async (method, rest) => {
      for (const message of [audits.create, audits.list, audits.get, audits.cancel]) {
        fixture.fakes.on(message, () => {
          throw new ContractError('not_found', 'There is none.');
        });
      }
      const init = method === 'POST' ? json('POST', {}) : { method };
      const missing = await fixture.request(`${AUDITS}${rest}`, init);
      expect(missing.status).toBe(404);
      expect(await missing.json()).toMatchObject({ code: 'not_found' });
      const before = received();
      for (const bad of ['1', 'not-an-id', '%00', '..%2f..', `${version_id}x`]) {
        const target = rest === '' ? AUDITS.replace(version_id, bad) : `${AUDITS}/${bad}`;
        const { status } = await fixture.request(target, init);
        expect([404, 422]).toContain(status);
      }
      expect(received()).toBe(before);
    },
  );

  test.each([
    ['an unknown option', { quick: true, fast: true }, 'fast'],
    ['a text for a choice', { quick: 'yes' }, 'quick'],
    ['a chosen seed', { quick: false, seed: 'a' }, 'seed'],
    ['a list', [], ''],
  ])('%s is a problem of the field, and starts nothing', async (_what, body, field) => {
    const before = received();
    const response = await fixture.request(AUDITS, json('POST', body));
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    expect(errors.map((each) => each.field)).toEqual([field]);
    expect(received()).toBe(before);
  });

  test('a body that is no JSON is refused with the status 400', async () => {
    expect((await fixture.request(AUDITS, json('POST', '{'))).status).toBe(400);
  });

  test('the policy of a workspace is read and set, with the name of its author', async () => {
    const client = fixture.client();
    expect(await client.call(routes.auditPolicy.get)).toEqual({ require_audit: false, updated_at: null });
    const set = await client.call(routes.auditPolicy.set, { body: POLICY });
    expect(set).toEqual({ ...POLICY, updated_at: AT });
    expect(fixture.fakes.last(audits.setPolicy)).toEqual({
      ...{ workspace_id: expect.any(String), policy: POLICY, actor: 'bootstrap' },
    });
  });

  test.each([
    ['no decision', { min_strength: 0.8 }, 'require_audit'],
    ['a strength above 1', { ...POLICY, min_strength: 1.1 }, 'min_strength'],
    ['an age of no day', { ...POLICY, max_age_days: 0 }, 'max_age_days'],
    ['half a day', { ...POLICY, max_age_days: 0.5 }, 'max_age_days'],
    ['an unknown field', { ...POLICY, strict: true }, 'strict'],
  ])('a policy with %s is a problem of the field', async (_what, body, field) => {
    const response = await fixture.request(`${WS}/audit-policy`, json('PUT', body));
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    expect(errors.map((each) => each.field)).toEqual([field]);
  });

  test('each role may do what it may, and nothing is forwarded of the rest', async () => {
    const outcomes: Record<string, string> = {};
    for (const role of ['viewer', 'member', 'admin', 'operator']) {
      const client = fixture.client(tokens[role]);
      const calls = [
        () => client.call(routes.audits.list, ofVersion),
        () => client.call(routes.audits.get, ofAudit),
        () => client.call(routes.auditPolicy.get),
        () => client.call(routes.audits.create, { ...ofVersion, body: {} }),
        () => client.call(routes.audits.cancel, ofAudit),
        () => client.call(routes.auditPolicy.set, { body: POLICY }),
      ];
      const statuses: number[] = [];
      for (const call of calls) {
        const before = received();
        const status = await call().then(
          () => 200,
          (error: { status: number }) => error.status,
        );
        expect(received()).toBe(status === 200 ? before + 1 : before);
        statuses.push(status);
      }
      outcomes[role] = statuses.join(' ');
    }
    expect(outcomes).toEqual({
      viewer: '200 200 200 403 403 403',
      member: '200 200 200 200 200 403',
      admin: '200 200 200 200 200 200',
      operator: '403 403 403 403 403 403',
    });
  });

  test('the audits of another workspace do not exist for a token, and need one', async () => {
    await fixture.client(OPERATOR).call(routes.workspaces.create, { body: { slug: 'other' } });
    const before = received();
    for (const role of ['viewer', 'member', 'admin']) {
      const client = fixture.client(tokens[role], 'other');
      await expect(client.call(routes.audits.get, ofAudit)).rejects.toMatchObject({ status: 404 });
      await expect(client.call(routes.auditPolicy.get)).rejects.toMatchObject({ status: 404 });
    }
    const response = await fetch(`${fixture.gateway.url}${AUDITS}`);
    expect(response.status).toBe(401);
    expect(received()).toBe(before);
  });
});
