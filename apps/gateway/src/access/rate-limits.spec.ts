import { routes } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { RateLimited, RateLimits } from './rate-limits.js';

describe('rate limits', () => {
  test('count every token for itself and tell what is left', () => {
    const limits = new RateLimits({ RATE_LIMIT: 12, RUN_RATE_LIMIT: 0 });
    expect(limits.take('a', routes.runs.list)).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
    });
    limits.take('a', routes.runs.list);
    expect(() => limits.take('a', routes.runs.list)).toThrow(RateLimited);
    expect(limits.take('b', routes.runs.list)).toMatchObject({ 'ratelimit-remaining': '1' });
  });

  test('are tighter on starting runs', () => {
    const limits = new RateLimits({ RATE_LIMIT: 600, RUN_RATE_LIMIT: 6 });
    limits.take('a', routes.runs.create);
    expect(() => limits.take('a', routes.runs.create)).toThrow(/Try again in 10 s/);
    expect(limits.take('a', routes.runs.list)).toMatchObject({ 'ratelimit-limit': '100' });
  });

  test('of 0 limit nothing', () => {
    const limits = new RateLimits({ RATE_LIMIT: 0, RUN_RATE_LIMIT: 0 });
    for (let count = 0; count < 1_000; count += 1) expect(limits.take('a', routes.runs.create)).toEqual({});
  });
});
