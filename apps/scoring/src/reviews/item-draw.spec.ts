import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Candidate, drawPairs, drawRepeats } from './item-draw.js';

const candidates = (cases: number, agents: number): Candidate[] =>
  Array.from({ length: cases * agents }, (_, index) => ({
    attemptId: `attempt ${index}`,
    runAgentId: `agent ${index % agents}`,
    caseKey: `case ${Math.floor(index / agents)}`,
    repetition: 1,
  }));
const sizes = fc.record({
  cases: fc.integer({ min: 1, max: 6 }),
  agents: fc.integer({ min: 2, max: 7 }),
  seed: fc.nat(),
  itemsMax: fc.integer({ min: 1, max: 200 }),
});

describe('the pairs of a queue', () => {
  test('pairs are distinct, of one case, and as many as there are up to the limit', () => {
    fc.assert(
      fc.property(sizes, ({ cases, agents, ...options }) => {
        const pairs = drawPairs(candidates(cases, agents), options);
        const all = (cases * agents * (agents - 1)) / 2;
        expect(pairs).toHaveLength(Math.min(all, options.itemsMax));
        expect(new Set(pairs.map(({ first, second }) => `${first.attemptId}/${second.attemptId}`)).size).toBe(
          pairs.length,
        );
        for (const { first, second } of pairs) {
          expect(first.caseKey).toBe(second.caseKey);
          expect(first.attemptId < second.attemptId).toBe(true);
        }
      }),
    );
  });

  test('no case is two pairs ahead of another one that has more', () => {
    fc.assert(
      fc.property(sizes, ({ cases, agents, ...options }) => {
        const counts = new Map<string, number>();
        for (const { first } of drawPairs(candidates(cases, agents), options)) {
          counts.set(first.caseKey, (counts.get(first.caseKey) ?? 0) + 1);
        }
        const all = Array.from({ length: cases }, (_, index) => counts.get(`case ${index}`) ?? 0);
        expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('every agent of a case is in two pairs before one is in three', () => {
    const pairs = drawPairs(candidates(1, 6), { seed: 3, itemsMax: 6 });
    const seen = pairs.flatMap(({ first, second }) => [first.runAgentId, second.runAgentId]).sort();
    expect(seen).toEqual([0, 1, 2, 3, 4, 5].flatMap((agent) => [`agent ${agent}`, `agent ${agent}`]));
  });

  test('the same seed draws the same pairs, and another seed others', () => {
    const drawn = (seed: number) => JSON.stringify(drawPairs(candidates(5, 6), { seed, itemsMax: 10 }));
    expect(drawn(1)).toBe(drawn(1));
    expect(drawn(1)).not.toBe(drawn(2));
  });

  test('a hundred agents make no list of all their pairs', () => {
    const many = candidates(200, 100);
    const startedAt = performance.now();
    expect(drawPairs(many, { seed: 1, itemsMax: 1_000 })).toHaveLength(1_000);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('the share of repeated items is as named, rounded up', () => {
    const items = Array.from({ length: 11 }, (_, index) => ({ id: String(index) }));
    const sizesOf = [0, 0.1, 1].map((share) => drawRepeats(items, { seed: 1, share }).length);
    expect(sizesOf).toEqual([0, 2, 11]);
  });
});
