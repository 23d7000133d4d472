import { routes } from '@agentclash/api';
import { ContractError, type ProviderAccount, providerAccounts, vault } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const KEY = 'sk-plain-key-4711';
const API = routes.providerAccounts;
const unavailable = () => {
  throw new ContractError('unavailable', 'away');
};

describe('a provider account', () => {
  let fixture: GatewayFixture;
  const accounts = new Map<string, ProviderAccount>();
  const secrets = new Map<string, string>();

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await fixture.close());

  const account = (id: string): ProviderAccount => {
    const found = accounts.get(id);
    if (found === undefined) throw new ContractError('not_found', 'There is no such account.');
    return found;
  };
  const keep = (id: string, spec: Omit<ProviderAccount, 'id' | 'created_at' | 'updated_at'>) => {
    const at = new Date().toISOString();
    const kept = { ...spec, id, created_at: at, updated_at: at };
    accounts.set(id, kept);
    return kept;
  };
  const asStored = (spec: { provider_key: string }) => spec as ProviderAccount;

  beforeEach(() => {
    accounts.clear();
    secrets.clear();
    fixture.fakes.on(providerAccounts.create, ({ id = newId(), spec }) => {
      if ([...accounts.values()].some(({ name }) => name === spec.name)) {
        throw new ContractError('conflict', 'The name is taken.');
      }
      return keep(id, asStored(spec));
    });
    fixture.fakes.on(providerAccounts.get, ({ provider_account_id: id }) => account(id));
    fixture.fakes.on(providerAccounts.update, ({ provider_account_id: id, spec }) => {
      account(id);
      return { applied: 'revised' as const, provider_account: keep(id, asStored(spec)) };
    });
    fixture.fakes.on(providerAccounts.remove, ({ provider_account_id: id }) => {
      account(id);
      accounts.delete(id);
      return {};
    });
    fixture.fakes.on(vault.set, ({ key, value_base64 }) => {
      secrets.set(key, Buffer.from(value_base64, 'base64').toString());
      return { version: 1, created: true };
    });
    fixture.fakes.on(vault.remove, ({ key }) => {
      if (!secrets.delete(key)) throw new ContractError('not_found', 'There is no such secret.');
      return {};
    });
  });

  const body = { name: 'main', provider_key: 'openai' as const };
  const make = (more: object = { api_key: KEY }, idempotencyKey?: string) =>
    fixture
      .client()
      .call(API.create, { body: { ...body, ...more }, ...(idempotencyKey && { idempotencyKey }) });
  const change = (id: string, more: object) =>
    fixture.client().call(API.update, { params: { provider_account_id: id }, body: { ...body, ...more } });

  test('the key of an account becomes a secret of its own, and responses hold only the reference', async () => {
    const made = await make();
    const [[key, value] = []] = [...secrets];
    expect(value).toBe(KEY);
    expect(made).toMatchObject({ ...body, credential_reference: `workspace-secret://${key}` });
    expect(key).toContain(made.id.replaceAll('-', '').toUpperCase());
    expect(made).not.toHaveProperty('api_key');
    expect(JSON.stringify(fixture.fakes.requests.get(providerAccounts.create.subject))).not.toContain(KEY);
  });

  test('an account that cannot be created leaves no key behind, also when a service is unreachable', async () => {
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'conflict' });
    expect([accounts.size, secrets.size]).toEqual([1, 1]);
    fixture.fakes.on(providerAccounts.create, ({ id = newId(), spec }) => {
      keep(id, asStored(spec));
      return unavailable();
    });
    await expect(make({ name: 'lost', api_key: KEY })).rejects.toMatchObject({ code: 'unavailable' });
    expect([accounts.size, secrets.size]).toEqual([1, 1]);
  });

  test('an account whose key cannot be stored is not created, and can be created later', async () => {
    let isUnavailable = true;
    fixture.fakes.on(vault.set, ({ key, value_base64 }) => {
      secrets.set(key, value_base64);
      return isUnavailable ? unavailable() : { version: 1, created: true };
    });
    await expect(make()).rejects.toMatchObject({ code: 'unavailable' });
    expect([accounts.size, secrets.size]).toEqual([0, 0]);
    isUnavailable = false;
    await make();
    expect([accounts.size, secrets.size]).toEqual([1, 1]);
  });

  test('a new key replaces the old one, and the account counts as revised', async () => {
    const { id, credential_reference } = await make();
    const changed = await change(id, { credential_reference, api_key: 'sk-second' });
    expect(changed).toMatchObject({ applied: 'revised', credential_reference });
    expect([...secrets.values()]).toEqual(['sk-second']);
  });

  test('an account whose new key cannot be stored stays unchanged', async () => {
    const { id } = await make({ credential_reference: 'workspace-secret://SHARED' });
    fixture.fakes.on(vault.set, unavailable);
    await expect(change(id, { api_key: KEY, name: 'other' })).rejects.toMatchObject({ code: 'unavailable' });
    expect(accounts.get(id)).toMatchObject({
      name: 'main',
      credential_reference: 'workspace-secret://SHARED',
    });
  });

  test('an account keeps its key as long as it refers to it, and no longer', async () => {
    const { id, credential_reference } = await make();
    await change(id, { credential_reference, base_url: 'https://api.openai.com/v2' });
    expect(secrets.size).toBe(1);
    await change(id, { credential_reference: 'workspace-secret://SHARED' });
    expect(secrets.size).toBe(0);
  });

  test.each<[string, object, string]>([
    [
      'its own address',
      { base_url: 'https://models.example.com:8443/v1' },
      'https://models.example.com:8443',
    ],
    ['its provider', {}, 'https://api.openai.com'],
    [
      'a number',
      { provider_key: 'openai_compatible', base_url: 'http://[::1]:11434/v1' },
      'http://[::1]:11434',
    ],
  ])('the key of an account is bound to the origin of %s', async (_whose, more, origin) => {
    await make({ ...more, api_key: KEY });
    expect(fixture.fakes.last(vault.set)).toMatchObject({ hosts: [origin] });
  });

  test.each(['https://proxy.example/v1', 'https://api.openai.com:8443/v1', 'http://api.openai.com/v1'])(
    'an account that moves to %s needs its key again, and is unchanged without it',
    async (base_url) => {
      const { id, credential_reference } = await make();
      const moved = { credential_reference, base_url };
      await expect(change(id, moved)).rejects.toMatchObject({
        status: 422,
        errors: [
          {
            field: 'api_key',
            code: 'required',
            message: expect.stringContaining('https://api.openai.com only'),
          },
        ],
      });
      expect(accounts.get(id)).not.toHaveProperty('base_url');
      await change(id, { ...moved, api_key: KEY });
      expect(fixture.fakes.last(vault.set)).toMatchObject({ hosts: [new URL(base_url).origin] });
    },
  );

  test('a test of an account makes one call, whose failure is a result', async () => {
    const { id } = await make();
    const report = {
      ok: false,
      model: 'm-1',
      response_model: null,
      latency_ms: 12,
      error: { class: 'auth', message: 'refused' },
    };
    fixture.fakes.on(providerAccounts.test, () => report);
    const params = { provider_account_id: id };
    expect(await fixture.client().call(API.test, { params, body: { model: 'm-1' } })).toEqual(report);
    expect(fixture.fakes.last(providerAccounts.test)).toMatchObject({ ...params, model: 'm-1' });
    await fixture.client().call(API.test, { params, body: {} });
    expect(fixture.fakes.last(providerAccounts.test)).not.toHaveProperty('model');
  });

  test('deleting an account deletes its key, also when a first deletion failed halfway', async () => {
    const { id } = await make();
    const remove = () => fixture.client().call(API.remove, { params: { provider_account_id: id } });
    const removeSecret = ({ key }: { key: string }) => {
      secrets.delete(key);
      return {};
    };
    fixture.fakes.on(vault.remove, unavailable);
    await expect(remove()).rejects.toMatchObject({ code: 'unavailable' });
    fixture.fakes.on(vault.remove, removeSecret);
    await expect(remove()).rejects.toMatchObject({ code: 'not_found' });
    expect([accounts.size, secrets.size]).toEqual([0, 0]);
  });

  test('an account that is in use keeps its key', async () => {
    const { id } = await make();
    fixture.fakes.on(providerAccounts.remove, () => {
      throw new ContractError('conflict', 'The alias fast uses it.');
    });
    const removed = fixture.client().call(API.remove, { params: { provider_account_id: id } });
    await expect(removed).rejects.toMatchObject({ code: 'conflict' });
    expect(secrets.size).toBe(1);
  });

  test.each<[string, object, string, string]>([
    ['two credentials', { api_key: KEY, credential_reference: 'workspace-secret://A' }, 'api_key', 'contrad'],
    [
      'the key of another account',
      { credential_reference: `workspace-secret://PROVIDER_ACCOUNT_${'0'.repeat(32)}` },
      'credential_reference',
      'wrong_reference',
    ],
    ['a key with a line break', { api_key: `${KEY}\n` }, 'api_key', ''],
    ['a key that is no text', { api_key: 123_456 }, 'api_key', ''],
    ['a misspelt member', { apikey: KEY }, 'apikey', 'unknown_field'],
  ])(
    'an account with %s is refused, and the response does not repeat the key',
    async (_what, more, field, code) => {
      const refused = await make(more).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        status: 422,
        errors: [{ field, code: expect.stringContaining(code) }],
      });
      expect(JSON.stringify(refused)).not.toContain(KEY);
      expect([accounts.size, secrets.size]).toEqual([0, 0]);
    },
  );

  test("an account's key is in no log and no stored idempotency key", async () => {
    const first = await make({ api_key: KEY }, 'once');
    expect(await make({ api_key: KEY }, 'once')).toEqual(first);
    await expect(make({ api_key: 'sk-other' }, 'once')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    const rows = await database.query(
      `SELECT *, encode(sealed, 'escape') AS text FROM gateway.idempotency_keys WHERE key = 'once'`,
    );
    expect(rows).toHaveLength(1);
    for (const trace of [KEY, Buffer.from(KEY).toString('base64')]) {
      expect(JSON.stringify(rows) + fixture.logged.join('')).not.toContain(trace);
    }
  });
});
