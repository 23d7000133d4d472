import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConfidenceSequence, verdictRange } from './confidence-sequence.js';
import { estimateLane } from './lane-sequence.js';

const value = fc.oneof(fc.constantFrom(0, 1 / 3, 0.5, 2 / 3, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const values = fc.array(value, { minLength: 1, maxLength: 60 });
const alpha = fc.double({ min: 0.001, max: 0.2, noNaN: true });

describe('the confidence sequence of a mean', () => {
  // A sequence misses the mean with the probability alpha: what is still possible replaces a bound that is not.
  const staysWithin = (drawn: readonly number[], level: number, more: number) => {
    const population = drawn.length + more;
    const sequence = new ConfidenceSequence({ population, alpha: level });
    let [lower, upper] = sequence.interval;
    expect([lower, upper]).toEqual([0, 1]);
    let total = 0;
    for (const [index, each] of drawn.entries()) {
      sequence.add(each);
      total += each;
      const [least, most] = [total / population, (total + population - index - 1) / population];
      const [low, high] = sequence.interval;
      expect(low).toBeGreaterThanOrEqual(Math.min(lower, most) - 1e-12);
      expect(high).toBeLessThanOrEqual(Math.max(upper, least) + 1e-12);
      expect(low).toBeLessThanOrEqual(high + 1e-12);
      expect(low).toBeGreaterThanOrEqual(least - 1e-9);
      expect(high).toBeLessThanOrEqual(most + 1e-9);
      [lower, upper] = [low, high];
    }
  };

  test('the interval stays within what is still possible, and widens only to hold some of it', () => {
    fc.assert(fc.property(values, alpha, fc.nat(20), staysWithin));
  });

  test('the interval leaves a bound that the last values made impossible', () => {
    const drawn = [0.77, 0.98, 1, 0.67, 0, 0, 0];
    staysWithin(drawn, 0.2, 0);
    const sequence = new ConfidenceSequence({ population: drawn.length, alpha: 0.2 });
    for (const each of drawn) sequence.add(each);
    for (const end of sequence.interval) expect(end).toBeCloseTo(3.42 / 7, 9);
  });

  test('after the last value the interval is the mean itself', () => {
    fc.assert(
      fc.property(values, alpha, (drawn, level) => {
        const sequence = new ConfidenceSequence({ population: drawn.length, alpha: level });
        for (const each of drawn) sequence.add(each);
        expect(sequence.isComplete).toBe(true);
        for (const end of sequence.interval) expect(end).toBeCloseTo(sequence.mean ?? -1, 9);
      }),
    );
  });

  test('mirrored values mirror the interval and the side', () => {
    fc.assert(
      fc.property(values, fc.nat(20), (drawn, more) => {
        const options = { population: drawn.length + more, alpha: 0.05 };
        const [one, other] = [new ConfidenceSequence(options), new ConfidenceSequence(options)];
        for (const each of drawn) {
          one.add(each);
          other.add(1 - each);
        }
        expect(other.interval[0]).toBeCloseTo(1 - one.interval[1], 3);
        expect(other.interval[1]).toBeCloseTo(1 - one.interval[0], 3);
      }),
    );
  });

  test('a sequence of the points around ½ finds the same side at the same value as the whole grid', () => {
    fc.assert(
      fc.property(values, alpha, fc.nat(40), (drawn, level, more) => {
        const options = { population: drawn.length + more, alpha: level };
        const whole = new ConfidenceSequence(options);
        const narrow = new ConfidenceSequence(options, verdictRange(0));
        for (const each of drawn) {
          whole.add(each);
          narrow.add(each);
          expect(narrow.side).toBe(whole.side);
          if (whole.side !== 0) return;
        }
      }),
    );
  });

  test('items that turn out to have no value end in the sequence of the others', () => {
    const gap = fc.array(fc.option(value), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gap, (drawn) => {
        const { cases, population, missing, mean, interval } = estimateLane(drawn);
        const present = drawn.filter((each) => each !== null);
        expect([cases, population, missing]).toEqual([
          present.length,
          present.length,
          drawn.length - present.length,
        ]);
        if (mean === null) expect(interval).toBeNull();
        else for (const end of interval ?? []) expect(end).toBeCloseTo(mean, 9);
      }),
    );
  });

  test('an item without a value settles all bets again with the smaller population, and excludes no less', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 20 }), (drawn, more) => {
        const running = Array.from({ length: more }, () => undefined);
        const before = estimateLane([...drawn, undefined, ...running]).interval ?? [0, 1];
        const smaller = estimateLane([...drawn, ...running]).interval ?? [0, 1];
        const after = estimateLane([...drawn, null, ...running]).interval ?? [0, 1];
        expect(after[0]).toBeCloseTo(Math.max(before[0], smaller[0]), 9);
        expect(after[1]).toBeCloseTo(Math.min(before[1], smaller[1]), 9);
      }),
    );
  });

  test('missing items before the first value are the same as a smaller population', () => {
    const rest = Array.from({ length: 40 }, (_, index) => (index < 25 ? Number(index % 3 > 0) : undefined));
    expect(estimateLane([null, null, null, ...rest])).toEqual({ ...estimateLane(rest), missing: 3 });
  });
});

describe('the mean of one lane of a race that stopped', () => {
  test('no value counts behind a case that did not end', () => {
    const early = estimateLane([1, 0, 1, undefined, 0, 0, 0]);
    expect(early).toEqual(estimateLane([1, 0, 1, undefined, undefined, undefined, undefined]));
    expect(early).toMatchObject({ cases: 3, population: 7, mean: 2 / 3 });
  });

  test('a lane that passed every counted case has no interval of zero width', () => {
    const { interval } = estimateLane(
      Array.from({ length: 200 }, (_, index) => (index < 50 ? 1 : undefined)),
    );
    expect(interval?.[0]).toBeGreaterThan(0.85);
    expect(interval?.[0]).toBeLessThan(0.97);
    expect(interval?.[1]).toBe(1);
  });
});
