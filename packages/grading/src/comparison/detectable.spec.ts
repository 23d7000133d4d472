import { describe, expect, test } from '@jest/globals';
import { Random } from '../testing/random.js';
import { casesTestable, detectableLoss } from './detectable.js';
import { SIGNIFICANCE } from './difference-interval.js';
import { type Pair, pairedTest } from './paired-test.js';

const SIMULATIONS = 300;
/** 0.8 less three standard errors of the simulation. */
const POWER_MIN = 0.8 - 3 * Math.sqrt((0.8 * 0.2) / SIMULATIONS);
const random = new Random(7);

function shareWorse(draw: () => Pair[], { tests, binary }: { tests: number; binary: boolean }): number {
  let worse = 0;
  for (let run = 0; run < SIMULATIONS; run += 1) {
    const { p, mean_difference } = pairedTest(draw(), { binary, detect: 0.05 });
    if ((mean_difference ?? 0) < 0 && (p ?? 1) * tests < SIGNIFICANCE) worse += 1;
  }
  return worse / SIMULATIONS;
}

describe('the smallest loss that a comparison could have seen', () => {
  test.each([
    [1, 6],
    [2, 7],
    [3, 7],
    [5, 8],
    [20, 10],
  ])('a comparison with %d tests and fewer than %d cases can show no loss', (tests, cases) => {
    expect(casesTestable(tests)).toBe(cases);
    expect(detectableLoss({ n: cases - 1, se: 0.1, tests })).toBeNull();
    expect(detectableLoss({ n: cases, se: 0.1, tests })).toBeGreaterThan(0);
    const lost = Array.from({ length: cases }, (): Pair => [1, 0]);
    const { p } = pairedTest(lost, { binary: true, detect: 0.05 });
    expect((p ?? 1) * tests).toBeLessThan(SIGNIFICANCE);
    const fewer = pairedTest(lost.slice(1), { binary: true, detect: 0.05 });
    expect((fewer.p ?? 1) * tests).toBeGreaterThanOrEqual(SIGNIFICANCE);
  });

  test.each([
    [20, 1],
    [60, 1],
    [60, 3],
    [200, 5],
  ])('a loss of whole cases, of %d with %d tests, is found with the stated power', (n, tests) => {
    const rate = detectableLoss({ n, se: 0, tests }) ?? 0;
    const draw = () => Array.from({ length: n }, (): Pair => [1, random.uniform() < rate ? 0 : 1]);
    const found = shareWorse(draw, { tests, binary: true });
    expect(found).toBeGreaterThan(POWER_MIN);
    // It is the smallest: two thirds of it are missed more often.
    const smaller = () =>
      Array.from({ length: n }, (): Pair => [1, random.uniform() < (2 * rate) / 3 ? 0 : 1]);
    expect(shareWorse(smaller, { tests, binary: true })).toBeLessThan(found);
  });

  test.each([
    [20, 1],
    [60, 3],
    [200, 5],
  ])('a loss that all of %d cases share, with %d tests, is found with the stated power', (n, tests) => {
    const sd = 0.4;
    const loss = detectableLoss({ n, se: sd / Math.sqrt(n), tests }) ?? 0;
    const draw = () => Array.from({ length: n }, (): Pair => [0, -loss + sd * random.normal()]);
    expect(shareWorse(draw, { tests, binary: false })).toBeGreaterThan(POWER_MIN);
  });
});
