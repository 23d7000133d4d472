import { routes } from '@agentclash/api';
import { ContractError, type Webhook, webhookKeys, webhooks } from '@agentclash/contracts';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const AT = '2026-01-01T00:00:00.000Z';
const SPEC = { name: 'ci', url: 'https://hooks.example/x', events: ['run.completed' as const] };

describe('webhooks over HTTP', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    const behind = [...Object.values(webhooks), webhookKeys.set, webhookKeys.remove];
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url }, {}, behind);
    fixture.fakes.on(webhookKeys.set, () => ({}));
    fixture.fakes.on(webhookKeys.remove, () => ({}));
    fixture.fakes.on(webhooks.create, ({ id = '', spec, actor }): Webhook => {
      const by = { created_at: AT, created_by: actor, updated_at: AT, updated_by: actor };
      return { ...spec, id, disabled_reason: null, ...by };
    });
  });
  afterAll(async () => await fixture.close());

  const create = () => fixture.client().call(routes.webhooks.create, { body: SPEC });

  test('the secret of a webhook is in the response to its creation and in the vault, and nowhere else', async () => {
    const { id, secret } = await create();
    const stored = fixture.fakes.last(webhookKeys.set);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(stored).toMatchObject({ webhook_id: id, value_base64: secret.slice('whsec_'.length) });
    expect(JSON.stringify(fixture.fakes.last(webhooks.create))).not.toContain(stored?.value_base64);
    expect(fixture.logged.join('')).not.toContain(stored?.value_base64);
    expect((await create()).secret).not.toBe(secret);
  });

  test('a webhook that is refused leaves no secret', async () => {
    const { fakes } = fixture;
    const removed = fakes.count(webhookKeys.remove);
    fakes.on(webhooks.create, () => {
      throw new ContractError('conflict', 'There is a webhook named "ci" already.');
    });
    await expect(create()).rejects.toMatchObject({ status: 409 });
    expect(fakes.count(webhookKeys.remove)).toBe(removed + 1);
    expect(fakes.last(webhookKeys.remove)?.webhook_id).toBe(fakes.last(webhookKeys.set)?.webhook_id);
  });

  test('a webhook that is deleted takes its secret with it, also when the deletion is repeated', async () => {
    const { fakes } = fixture;
    const params = { webhook_id: fakes.last(webhookKeys.set)?.webhook_id ?? '' };
    fakes.on(webhooks.remove, () => ({}));
    await fixture.client().call(routes.webhooks.remove, { params });
    expect(fakes.last(webhookKeys.remove)).toMatchObject(params);
    const before = fakes.count(webhookKeys.remove);
    fakes.on(webhooks.remove, () => {
      throw new ContractError('not_found', 'There is no webhook.');
    });
    const repeated = fixture.client().call(routes.webhooks.remove, { params });
    await expect(repeated).rejects.toMatchObject({ status: 404 });
    expect(fakes.count(webhookKeys.remove)).toBe(before + 1);
  });

  test('a member sees and changes no webhook, whose address may hold a token', async () => {
    const { token } = await fixture
      .client()
      .call(routes.tokens.create, { body: { name: 'm', role: 'member' } });
    const member = fixture.client(token);
    await expect(member.call(routes.webhooks.list)).rejects.toMatchObject({ status: 403 });
    await expect(member.call(routes.webhooks.create, { body: SPEC })).rejects.toMatchObject({ status: 403 });
  });
});
