import { routes } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fullBucket, RateLimited, RateLimits, rateOf, take } from './rate-limits.js';

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

describe('a token bucket', () => {
  test('a token bucket lets a burst through, then requests at its rate', () => {
    const rate = rateOf(60);
    const bucket = fullBucket(rate, 0);
    const burst = Array.from({ length: 11 }, () => take(bucket, rate, 0).isTaken);
    expect(burst).toEqual([...Array(10).fill(true), false]);
    expect(take(bucket, rate, 999)).toMatchObject({ isTaken: false, retrySeconds: 1 });
    expect(take(bucket, rate, 1_000)).toMatchObject({ isTaken: true, remaining: 0, resetSeconds: 10 });
  });

  test('a token bucket never lets more through than its capacity and rate allow, whatever the times', () => {
    const gaps = fc.array(fc.integer({ min: -50, max: 5_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 6_000 }), (times, perMinute) => {
        const rate = rateOf(perMinute);
        const bucket = fullBucket(rate, 0);
        let now = 0;
        let latest = 0;
        let passed = 0;
        for (const gap of times) {
          now += gap;
          latest = Math.max(latest, now);
          if (take(bucket, rate, now).isTaken) passed += 1;
        }
        // A clock that is set back may give its steps twice, and no more.
        const backwards = times.reduce((sum, gap) => sum + Math.max(0, -gap), 0);
        expect(passed).toBeLessThanOrEqual(
          rate.capacity + ((latest + backwards) / 1_000) * rate.perSecond + 1e-6,
        );
      }),
    );
  });

  test('a token bucket lets a request through after the seconds that it reported', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 0, max: 10_000 }),
        (perMinute, later) => {
          const rate = rateOf(perMinute);
          const bucket = fullBucket(rate, 0);
          while (take(bucket, rate, 0).isTaken);
          const refused = take(bucket, rate, Math.min(later, 900 / rate.perSecond));
          if (refused.isTaken) return;
          expect(take(bucket, rate, bucket.at + refused.retrySeconds * 1_000 + 1).isTaken).toBe(true);
        },
      ),
    );
  });
});
