import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { largestMatching } from './matching.js';

test('the matching pairs earlier items again when a later one needs their partner', () => {
  const fits = (left: number, right: number) => (left === 1 ? right === 1 : true);
  expect(largestMatching([2, 1], [1, 2], fits)).toBe(2);
});

test('the matching of every small graph is the largest', () => {
  const side = fc.integer({ min: 0, max: 5 });
  fc.assert(
    fc.property(
      side,
      side,
      fc.array(fc.boolean(), { minLength: 36, maxLength: 36 }),
      (left, right, edges) => {
        const fits = (a: number, b: number) => edges[a * 6 + b] === true;
        const [lefts, rights] = [[...Array(left).keys()], [...Array(right).keys()]];
        return largestMatching(lefts, rights, fits) === triedOut(lefts, rights, fits);
      },
    ),
  );
});

function triedOut(left: number[], right: number[], fits: (a: number, b: number) => boolean): number {
  const [first, ...others] = left;
  if (first === undefined) return 0;
  const sizes = right
    .filter((candidate) => fits(first, candidate))
    .map(
      (candidate) =>
        1 +
        triedOut(
          others,
          right.filter((other) => other !== candidate),
          fits,
        ),
    );
  return Math.max(triedOut(others, right, fits), ...sizes);
}
