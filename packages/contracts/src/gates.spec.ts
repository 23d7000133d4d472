import { expect, test } from '@jest/globals';
import { GatePolicySpec } from './gates.js';

test('A gate policy whose warning limit is above its failing limit is refused', () => {
  const policyOf = (warn: number, fail: number) =>
    GatePolicySpec.safeParse({
      name: 'strict',
      comparisons: { correctness: { max_regression: { warn, fail } } },
    });
  expect(policyOf(0.05, 0.05).success).toBe(true);
  expect(policyOf(0.1, 0.05).error?.issues).toEqual([
    expect.objectContaining({
      path: ['comparisons', 'correctness', 'max_regression', 'warn'],
      message: 'must not exceed fail',
    }),
  ]);
});
