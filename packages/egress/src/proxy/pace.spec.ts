import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RequestPace } from './pace.js';

describe('the pace of requests', () => {
  test('the rate limit admits a burst of one second at once and spaces the rest evenly', () => {
    const pace = new RequestPace({ requestsMax: 1_000, requestsPerSecond: 10 });
    const waits = Array.from({ length: 13 }, () => pace.reserve(5_000));
    expect(waits.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(waits.slice(10)).toEqual([100, 200, 300]);
  });

  test('the rate limit admits in no second more than twice its rate, however requests arrive', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 50 }), (pauses, requestsPerSecond) => {
        const pace = new RequestPace({ requestsMax: 1_000, requestsPerSecond });
        let now = 0;
        const handledAt = pauses.map((pause) => {
          now += pause;
          return now + pace.reserve(now);
        });
        for (const at of handledAt) {
          const within = handledAt.filter((other) => other >= at && other < at + 1_000 - 1e-6);
          expect(within.length).toBeLessThanOrEqual(2 * requestsPerSecond);
        }
      }),
    );
  });

  test('the rate limit falls to ten requests a second once a hundred were refused, whatever the rate was', () => {
    const pace = new RequestPace({ requestsMax: 10_000, requestsPerSecond: 100 });
    let now = 5_000;
    const handled = (count: number, isRefused: boolean) => {
      const startedAt = now;
      for (let done = 0; done < count; done += 1) {
        now += pace.reserve(now);
        if (isRefused) pace.refused(now);
      }
      return Math.round(now - startedAt);
    };
    expect(handled(100, true)).toBe(0);
    expect(handled(50, true)).toBeGreaterThanOrEqual(5_000);
    now += 1_000;
    expect(handled(100, false)).toBeLessThan(1_200);
  });

  test('the rate limit ends after the maximum number of requests', () => {
    const pace = new RequestPace({ requestsMax: 2, requestsPerSecond: 10 });
    expect([pace.spend(), pace.spend(), pace.spend(), pace.spend()]).toEqual([true, true, false, false]);
  });
});
