import { routes } from '@agentclash/api';
import { vault } from '@agentclash/contracts';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const WS = '/v1/workspaces/default';
const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('secrets over HTTP', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await fixture.close());

  async function problem(target: string, init: RequestInit) {
    return (await (await fixture.request(target, init)).json()) as Record<string, unknown>;
  }

  test.each(['https://api.example.com/v1', 'api.example.com/v1', 'api.example.com:443', '*', 'a b', ''])(
    'a secret is bound to no %j, to which it could never go',
    async (host) => {
      const body = { value: 'abcdef', hosts: ['http://127.0.0.1:8080', '::1', '*.example.com', host] };
      const refused = await problem(`${WS}/secrets/API_KEY`, { ...json(body), method: 'PUT' });
      expect(refused).toMatchObject({ status: 422, errors: [{ field: 'hosts.3' }] });
    },
  );

  test("a secret's value is sent to the vault and nowhere else", async () => {
    const value = 'tok-ä+/\u0000-77';
    fixture.fakes.on(vault.set, () => ({ version: 1, created: true }));
    const call = { params: { key: 'API_KEY' }, body: { value, hosts: ['*.example.com'] } };
    expect(await fixture.client().call(routes.secrets.set, call)).toBeUndefined();
    const { value_base64, key, hosts } = fixture.fakes.last(vault.set) ?? {};
    expect({ value: Buffer.from(value_base64 ?? '', 'base64').toString(), key, hosts }).toEqual({
      value,
      key: 'API_KEY',
      hosts: ['*.example.com'],
    });
    const anywhere = { params: { key: 'API_KEY' }, body: { value, any: true as const } };
    await fixture.client().call(routes.secrets.set, anywhere);
    expect(fixture.fakes.last(vault.set)).toMatchObject({ hosts: [], any: true });
    const body = { value: [value] };
    const refused = await problem(`${WS}/secrets/API_KEY`, { ...json(body), method: 'PUT' });
    expect(refused).toMatchObject({ status: 422, errors: [{ field: 'value' }] });
    expect(JSON.stringify(refused) + fixture.logged.join('')).not.toContain('tok-');
    expect(fixture.logged.join('')).not.toContain(value_base64 ?? '');
  });

  test.each([
    [
      'neither hosts nor any',
      {},
      { field: 'hosts', code: 'required', message: expect.stringContaining('"any": true') },
    ],
    ['no host', { hosts: [] }, { field: 'hosts', code: 'required' }],
    [
      'hosts and any',
      { hosts: ['a.test'], any: true },
      { field: 'any', message: 'cannot be given with hosts' },
    ],
    ['any that is not meant', { any: false }, { field: 'any' }],
  ])('a secret with %s is refused', async (_what, body, error) => {
    fixture.fakes.on(vault.set, () => ({ version: 1, created: true }));
    const before = fixture.fakes.count(vault.set);
    const init = { ...json({ value: 'abcdef', ...body }), method: 'PUT' };
    expect(await problem(`${WS}/secrets/API_KEY`, init)).toMatchObject({ status: 422, errors: [error] });
    expect(fixture.fakes.count(vault.set)).toBe(before);
  });

  test.each([
    ['an empty value', 'A', { value: '' }, 422],
    ['a value over 64 KiB', 'A', { value: 'ä'.repeat(32_769) }, 422],
    ['half a surrogate pair', 'A', { value: '\ud800' }, 422],
    ['a key that is no name', '1-A', { value: 'x' }, 422],
  ])('%s is refused as a secret', async (_what, key, body, status) => {
    fixture.fakes.on(vault.set, () => ({ version: 1, created: true }));
    const before = fixture.fakes.count(vault.set);
    expect(await problem(`${WS}/secrets/${key}`, { ...json(body), method: 'PUT' })).toMatchObject({ status });
    expect(fixture.fakes.count(vault.set)).toBe(before);
  });
});
