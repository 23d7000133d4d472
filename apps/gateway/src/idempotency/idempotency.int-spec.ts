import { routes } from '@agentclash/api';
import { ContractError, deployments } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const body = { name: 'noop', kind: 'scripted' as const, config: {} };

describe('a creating request with an Idempotency-Key', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
    const now = new Date().toISOString();
    fixture.fakes.on(deployments.create, ({ spec }) => ({
      id: newId(),
      name: spec.name,
      kind: spec.kind,
      revision: 1,
      runtime_profile_id: null,
      config: {},
      status: 'active' as const,
      created_at: now,
      updated_at: now,
    }));
  });
  afterAll(async () => await fixture.close());

  const create = (idempotencyKey: string, name = 'noop') =>
    fixture.client().call(routes.deployments.create, { body: { ...body, name }, idempotencyKey });

  test('a request with a key is processed once, and its repeat gets the first response', async () => {
    const before = fixture.fakes.count(deployments.create);
    const first = await create('repeat');
    expect(await create('repeat')).toEqual(first);
    expect(fixture.fakes.count(deployments.create)).toBe(before + 1);
  });

  test('a repeat has the status of the first response, and is marked as a repeat', async () => {
    const send = () =>
      fixture.request('/v1/workspaces/default/deployments', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'status' },
        body: JSON.stringify(body),
      });
    const responses = [await send(), await send()];
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(responses.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  });

  test('a used key is refused with another body or at another address', async () => {
    await create('reused');
    await expect(create('reused', 'other')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
      status: 409,
    });
    const elsewhere = fixture
      .client()
      .call(routes.profiles.create, { body: { name: 'p' }, idempotencyKey: 'reused' });
    await expect(elsewhere).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('concurrent requests with one key are processed once', async () => {
    const before = fixture.fakes.count(deployments.create);
    const responses = await Promise.allSettled(Array.from({ length: 10 }, () => create('race')));
    expect(fixture.fakes.count(deployments.create)).toBe(before + 1);
    const ids = responses.flatMap((response) => (response.status === 'fulfilled' ? [response.value.id] : []));
    expect(new Set(ids).size).toBe(1);
    for (const response of responses) {
      if (response.status === 'rejected') expect(response.reason).toMatchObject({ code: 'conflict' });
    }
  });

  test('a failed request leaves its key free for a retry', async () => {
    const input = { name: 'p' };
    const send = () =>
      fixture.client().call(routes.profiles.create, { body: input, idempotencyKey: 'failed' });
    await expect(send()).rejects.toMatchObject({ code: 'not_found' });
    await expect(send()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('an invalid request does not use its key up', async () => {
    const invalid = fixture.client().call(routes.deployments.create, {
      body: { ...body, name: '' },
      idempotencyKey: 'invalid',
    });
    await expect(invalid).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(create('invalid')).resolves.toBeDefined();
  });

  test('a key is free again after a day', async () => {
    const first = await create('old');
    await database.query(
      `UPDATE gateway.idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'old'`,
    );
    expect((await create('old', 'other')).id).not.toBe(first.id);
  });

  test('a key whose first holder died is taken over', async () => {
    await create('died');
    await database.query(
      `UPDATE gateway.idempotency_keys SET status = NULL, sealed = NULL, held_until = now() - interval '1 second' WHERE key = 'died'`,
    );
    const before = fixture.fakes.count(deployments.create);
    await create('died');
    expect(fixture.fakes.count(deployments.create)).toBe(before + 1);
  });

  test('equal keys of two tokens are different keys', async () => {
    const { token } = await fixture
      .client()
      .call(routes.tokens.create, { body: { name: 'm', role: 'member' } });
    const mine = await create('shared');
    const theirs = await fixture
      .client(token)
      .call(routes.deployments.create, { body, idempotencyKey: 'shared' });
    expect(theirs.id).not.toBe(mine.id);
  });

  test('a repeat of the creation of a token gets the token again, which is not stored in clear', async () => {
    const make = () =>
      fixture
        .client()
        .call(routes.tokens.create, { body: { name: 't', role: 'viewer' }, idempotencyKey: 'token' });
    const first = await make();
    expect(await make()).toEqual(first);
    const rows = await database.query(
      `SELECT encode(sealed, 'escape') AS sealed FROM gateway.idempotency_keys WHERE key = 'token'`,
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(first.token);
  });

  test('a request that a service cannot process stores no response', async () => {
    fixture.fakes.on(deployments.update, () => {
      throw new ContractError('unavailable', 'away');
    });
    const update = fixture
      .client()
      .call(routes.deployments.update, { params: { deployment_id: newId() }, body });
    await expect(update).rejects.toMatchObject({ code: 'unavailable', exitCode: 69, retryAfter: 1 });
  });
});
