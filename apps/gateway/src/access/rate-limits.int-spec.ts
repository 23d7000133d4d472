import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('the rate of one token', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url }, { RATE_LIMIT: '12' });
  });
  afterAll(async () => await fixture.close());

  test('every response carries the rate limit, and 429 the seconds until a retry', async () => {
    const first = await fixture.request('/v1/whoami');
    expect(first.headers.get('ratelimit-limit')).toBe('2');
    expect(first.headers.get('ratelimit-remaining')).toBe('1');
    await fixture.request('/v1/nothing-that-counts');
    await fixture.request('/v1/whoami');
    const refused = await fixture.request('/v1/whoami');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    expect((await fetch(`${fixture.gateway.url}/healthz`)).status).toBe(200);
  });
});
