import { expect, test } from '@jest/globals';
import { boundedMeanInterval } from '../statistics/sample.js';
import { Random } from '../testing/random.js';
import { SAMPLE_SIZES, SCORE_SAMPLES } from '../testing/score-samples.js';

const SIMULATIONS = 4_000;
/** Nominal 0.95, less two standard errors of 4,000 simulations. */
const COVERAGE_MIN = 0.9431;

test.each(SAMPLE_SIZES.flatMap((cases) => SCORE_SAMPLES.map((sample) => ({ cases, ...sample }))))(
  'the interval of $cases cases holds the mean of $title in 4,000 simulations with nominal coverage',
  ({ cases, mean, draw }) => {
    const random = new Random(20_240_301);
    let covered = 0;
    for (let run = 0; run < SIMULATIONS; run += 1) {
      const [low, high] = boundedMeanInterval(Array.from({ length: cases }, () => draw(random))) ?? [2, -1];
      if (low <= mean + 1e-12 && mean - 1e-12 <= high) covered += 1;
    }
    expect(covered / SIMULATIONS).toBeGreaterThanOrEqual(COVERAGE_MIN);
  },
);
