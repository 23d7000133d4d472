import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextAttemptAt } from './retry-schedule.js';

const SETTINGS = { firstMs: 5_000, totalMs: 86_400_000 };
const start = new Date('2026-01-01T00:00:00Z');

describe('retries of a delivery', () => {
  test.each([
    [1, 5_000],
    [2, 10_000],
    [5, 80_000],
    [11, 3_600_000],
    [400, 3_600_000],
  ])('after attempt %i the pause is %i ms', (attempts, pause) => {
    const next = nextAttemptAt({ attempts, firstAttemptAt: start, now: start }, SETTINGS, 0.5);
    expect(Number(next) - Number(start)).toBe(pause);
  });

  test('attempts are as many as fit into the total time, and never after it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 200 }), (randoms) => {
        let now = start;
        let attempts = 1;
        for (const random of randoms) {
          const next = nextAttemptAt({ attempts, firstAttemptAt: start, now }, SETTINGS, random);
          if (next === undefined) break;
          expect(next.getTime()).toBeGreaterThan(now.getTime());
          expect(next.getTime()).toBeLessThanOrEqual(start.getTime() + SETTINGS.totalMs);
          now = next;
          attempts += 1;
        }
        expect(attempts).toBeGreaterThan(25);
        expect(attempts).toBeLessThan(50);
      }),
    );
  });
});
