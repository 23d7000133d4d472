import { betaQuantile, studentQuantile } from '../statistics/distributions.js';
import { SIGNIFICANCE } from './difference-interval.js';

const POWER = 0.8;

interface Tested {
  readonly n: number;
  readonly se: number | null;
  /** Distinct tests of the request. */
  readonly tests: number;
}

/**
 * The fewest cases that can be significant: with fewer, the exact test's smallest p value, 2·2⁻ⁿ for n differences of the
 * same sign, is not below the level that the most significant of `tests` tests must reach. 6 for a single test.
 */
export function casesTestable(tests: number, level = SIGNIFICANCE): number {
  let cases = 2;
  while (2 ** (1 - cases) * Math.max(1, tests) >= level) cases += 1;
  return cases;
}

/**
 * The smallest mean loss that would be `worse` with 80 % power, in the less favourable of two forms: all cases lose the
 * same, and the differences vary as they did; or some cases are lost as a whole, and the others stay. The second form is
 * what is left where no case differed. null for too few cases to show any loss.
 */
export function detectableLoss({ n, se, tests }: Tested): number | null {
  const cases = casesTestable(tests);
  if (n < cases || se === null) return null;
  const level = SIGNIFICANCE / Math.max(1, tests);
  const shift = (studentQuantile(1 - level / 2, n - 1) + studentQuantile(POWER, n - 1)) * se;
  // The share of lost cases at which n cases hold at least `cases` lost ones with probability POWER.
  const wholeCases = betaQuantile(POWER, cases, n - cases + 1);
  return Math.min(1, Math.max(shift, wholeCases));
}
