import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { needsLogAxis, paretoFront } from './pareto.js';

describe('the Pareto front', () => {
  test('the front has the agents that none beats in both score and expense, by expense', () => {
    const [cheap, good, beaten] = [
      { expense: 1, score: 0.5 },
      { expense: 4, score: 0.9 },
      { expense: 5, score: 0.8 },
    ];
    expect(paretoFront([beaten, good, cheap])).toEqual([cheap, good]);
  });

  test('along the front more expense is a better score, and it has the best and the cheapest', () => {
    const item = fc.record({
      expense: fc.integer({ min: 0, max: 9 }),
      score: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 9 }), (items) => {
        const front = paretoFront(items);
        expect(Math.max(...front.map(({ score }) => score))).toBe(
          Math.max(...items.map(({ score }) => score)),
        );
        expect(front[0]?.expense).toBe(Math.min(...items.map(({ expense }) => expense)));
        for (const [index, next] of front.slice(1).entries()) {
          const before = front[index] ?? next;
          expect(next.score >= before.score && next.expense >= before.expense).toBe(true);
        }
      }),
    );
  });

  test('an axis is logarithmic from a factor of ten on, and never with a value of nothing', () => {
    expect(needsLogAxis([0.01, 0.1])).toBe(true);
    expect(needsLogAxis([0.01, 0.09])).toBe(false);
    expect(needsLogAxis([0, 5])).toBe(false);
  });
});
