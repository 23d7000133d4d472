import { expect, test } from '@jest/globals';
import { quantile } from './quantiles.js';

test('a quantile is the least value that so many do not exceed', () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 0.5, 0.8, 0.81, 1].map((share) => quantile(values, share))).toEqual([1, 3, 4, 5, 5]);
  expect(quantile([7], 0.95)).toBe(7);
  expect(quantile([], 0.5)).toBeNaN();
});
