import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AdaptiveLimit, admits, type LimitStep, nextLimit, startLimit } from './adaptive-limit.js';

const success = (state: AdaptiveLimit, inUse = state.limit) =>
  nextLimit(state, { outcome: 'success', inUse, nowMs: 0 });

const step = fc.record({
  outcome: fc.constantFrom('success' as const, 'rate_limited' as const, 'failed' as const),
  inUse: fc.nat(150),
  afterMs: fc.nat(30_000),
  retryAfterMs: fc.option(fc.nat(60_000), { nil: undefined }),
});

/** The limits that a history of calls leads to, with the step before each. */
function histories(max: number, steps: { afterMs: number; [key: string]: unknown }[]) {
  let nowMs = 0;
  let state = startLimit(max);
  return steps.map(({ afterMs, ...rest }) => {
    nowMs += afterMs;
    const taken = { ...rest, nowMs, max } as LimitStep;
    const before = state;
    state = nextLimit(state, taken);
    return { before, step: taken, after: state };
  });
}

describe('the limit of an account', () => {
  test('the limit starts at 10, or at the maximum of the account', () => {
    expect(startLimit().limit).toBe(10);
    expect(startLimit(3).limit).toBe(3);
    expect(startLimit(0).limit).toBe(1);
  });

  test('the limit grows by one after as many successes as its value', () => {
    let state = startLimit();
    for (let count = 1; count < 10; count++) state = success(state);
    expect(state.limit).toBe(10);
    state = success(state);
    expect(state).toMatchObject({ limit: 11, successes: 0 });
  });

  test('the limit does not grow while less than 80 % of it is used', () => {
    let state = startLimit();
    for (let count = 0; count < 100; count++) state = success(state, 7);
    expect(state.limit).toBe(10);
    for (let count = 0; count < 10; count++) state = success(state, 8);
    expect(state.limit).toBe(11);
  });

  test('the limit halves at most once in ten seconds', () => {
    const limited = (state: AdaptiveLimit, nowMs: number) =>
      nextLimit(state, { outcome: 'rate_limited', inUse: 10, nowMs });
    const first = limited(startLimit(), 1_000);
    expect(first.limit).toBe(5);
    expect(limited(first, 10_999).limit).toBe(5);
    expect(limited(first, 11_000).limit).toBe(2);
  });

  test('the limit admits nothing until Retry-After has passed, and a shorter hint does not shorten it', () => {
    const long = nextLimit(startLimit(), {
      outcome: 'rate_limited',
      inUse: 1,
      nowMs: 0,
      retryAfterMs: 5_000,
    });
    const both = nextLimit(long, { outcome: 'rate_limited', inUse: 1, nowMs: 100, retryAfterMs: 200 });
    expect(admits(both, { inUse: 0, nowMs: 4_999 })).toBe(false);
    expect(admits(both, { inUse: 0, nowMs: 5_000 })).toBe(true);
  });

  test('the limit blocks an account for ten minutes at most, whatever the provider requests', () => {
    const day = 24 * 60 * 60 * 1_000;
    const state = nextLimit(startLimit(), { outcome: 'rate_limited', inUse: 1, nowMs: 0, retryAfterMs: day });
    expect(state.blockedUntilMs).toBe(600_000);
  });

  test('the limit follows an account whose maximum was lowered', () => {
    const state = nextLimit(startLimit(), { outcome: 'failed', inUse: 1, nowMs: 0, max: 4 });
    expect(state.limit).toBe(4);
  });

  test('the limit is always between 1 and the maximum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.array(step, { maxLength: 200 }), (max, steps) => {
        for (const { after } of histories(max, steps)) {
          expect(after.limit).toBeGreaterThanOrEqual(1);
          expect(after.limit).toBeLessThanOrEqual(max);
        }
      }),
    );
  });

  test('the limit grows only on success, by one, and shrinks only on a rate limit, by half', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        for (const { before, step: taken, after } of histories(100, steps)) {
          if (after.limit > before.limit) {
            expect([taken.outcome, after.limit - before.limit]).toEqual(['success', 1]);
          }
          if (after.limit < before.limit) {
            expect([taken.outcome, after.limit]).toEqual(['rate_limited', Math.floor(before.limit / 2)]);
          }
        }
      }),
    );
  });

  test('the limit never admits more than its value', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (limit, inUse) => {
        const state = { limit, successes: 0, halvedAtMs: null, blockedUntilMs: 0 };
        expect(admits(state, { inUse, nowMs: 0 })).toBe(inUse < limit);
      }),
    );
  });
});
