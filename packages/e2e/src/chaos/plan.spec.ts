import { describe, expect, test } from '@jest/globals';
import { FAULT_KINDS, FAULTS } from './faults.js';
import { planOf, Randomness, survivable } from './plan.js';

describe('a plan of faults', () => {
  test('a plan is the same for the same seed, and another for another', () => {
    const plan = (seed: number) => planOf(FAULT_KINDS, new Randomness(seed));
    expect(plan(7)).toEqual(plan(7));
    expect(plan(7)).not.toEqual(plan(8));
  });

  test('a plan holds each kind of fault once, in the order of their moments, each while there is work', () => {
    const plan = planOf(FAULT_KINDS, new Randomness(1));
    expect(plan.map(({ kind }) => kind).sort()).toEqual([...FAULT_KINDS].sort());
    const moments = plan.map(({ at }) => at);
    expect(moments).toEqual([...moments].sort((left, right) => left - right));
    for (const { kind, at, seconds } of plan) {
      const [least, most] = FAULTS[kind].seconds;
      expect(at > 0 && at < 1).toBe(true);
      expect(seconds >= least && seconds <= most).toBe(true);
    }
  });
});

test('faults that are injected together leave every attempt one of its three deliveries', () => {
  for (const seed of [1, 2, 3]) {
    const kinds = survivable(FAULT_KINDS, new Randomness(seed));
    expect(kinds.filter((kind) => FAULTS[kind].losesDeliveries)).toHaveLength(2);
    const harmless = FAULT_KINDS.filter((kind) => !FAULTS[kind].losesDeliveries);
    expect(kinds).toEqual(expect.arrayContaining(harmless));
  }
});

test('random numbers spread evenly', () => {
  const random = new Randomness(3);
  const drawn = Array.from({ length: 10_000 }, () => random.next());
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...drawn)).toBeLessThan(1);
  expect(drawn.reduce((sum, each) => sum + each, 0) / drawn.length).toBeCloseTo(0.5, 1);
});
