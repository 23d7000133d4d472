import { routes } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { RateLimited, RateLimits } from './rate-limits.js';

describe('rate limits', () => {
  test('each token has a rate limit of its own, and the headers carry the rest of it', () => {
    const limits = new RateLimits({ RATE_LIMIT: 12, RUN_RATE_LIMIT: 0 });
    expect(limits.take('a', routes.runs.list)).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
    });
    limits.take('a', routes.runs.list);
    expect(() => limits.take('a', routes.runs.list)).toThrow(RateLimited);
    expect(limits.take('b', routes.runs.list)).toMatchObject({ 'ratelimit-remaining': '1' });
  });

  test('starting runs has a tighter rate limit', () => {
    const limits = new RateLimits({ RATE_LIMIT: 600, RUN_RATE_LIMIT: 6 });
    limits.take('a', routes.runs.create);
    expect(() => limits.take('a', routes.runs.create)).toThrow(/Try again in 10 s/);
    expect(limits.take('a', routes.runs.list)).toMatchObject({ 'ratelimit-limit': '100' });
  });

  test('a rate limit of 0 limits nothing', () => {
    const limits = new RateLimits({ RATE_LIMIT: 0, RUN_RATE_LIMIT: 0 });
    for (let count = 0; count < 1_000; count += 1) expect(limits.take('a', routes.runs.create)).toEqual({});
  });
});
