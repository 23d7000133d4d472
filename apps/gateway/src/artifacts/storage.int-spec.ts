import { routes } from '@agentclash/api';
import { type StorageUsage, storage } from '@agentclash/contracts';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const usage: StorageUsage = {
  runs: 0,
  evidence_bytes: 0,
  evidence_bytes_max: null,
  retention_days: 90,
  retention_set_by: 'workspace',
};

describe('the retention of a workspace', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    const urls = { database: database.url, nats: nats.url };
    fixture = await GatewayFixture.start(urls, {}, [storage.usage, storage.configure]);
    fixture.fakes.on(storage.configure, () => usage);
  });
  afterAll(async () => await fixture.close());
  beforeEach(() => fixture.fakes.requests.clear());

  const put = (body: object) =>
    fixture.request('/v1/workspaces/default/storage', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('an empty body changes no retention and gets 422 with the name of the field', async () => {
    const response = await put({});
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: 'invalid_input',
      errors: [{ code: 'required', field: 'retention_days', message: 'is required' }],
    });
    expect(fixture.fakes.count(storage.configure)).toBe(0);
  });

  test.each([
    { retention_days: 30, settings: { retention_days: 30 } },
    { retention_days: null, settings: { retention_days: null } },
    { retention_days: 'default' as const, settings: {} },
  ])('retention_days $retention_days is sent as $settings', async ({ retention_days, settings }) => {
    const body = { retention_days };
    expect(await fixture.client().call(routes.storage.configure, { body })).toEqual(usage);
    expect(fixture.fakes.last(storage.configure)?.settings).toEqual(settings);
  });

  test.each([0, 36_501, 1.5, 'never'])('retention_days %p is refused', async (retention_days) => {
    const response = await put({ retention_days });
    expect([response.status, fixture.fakes.count(storage.configure)]).toEqual([422, 0]);
  });
});
