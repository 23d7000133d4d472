import type { Random } from './random.js';

/** A distribution of the values of cases, with its mean. */
export interface ScoreSample {
  readonly title: string;
  readonly mean: number;
  readonly draw: (random: Random) => number;
}

const RATES = [0.05, 0.5, 0.9, 0.95, 1];

/** Concentrations of the rates of cases: nearly all 0 or 1, spread out, nearly equal. */
const CONCENTRATIONS = [0.5, 2, 50];

const REPETITIONS = 5;

/** Cases that pass or fail, once and with repetitions, and skewed scores. */
export const SCORE_SAMPLES: readonly ScoreSample[] = [
  ...RATES.map(
    (rate): ScoreSample => ({
      title: `one trial at ${rate}`,
      mean: rate,
      draw: (random) => random.binomial(1, rate),
    }),
  ),
  ...RATES.flatMap((rate) =>
    CONCENTRATIONS.map(
      (concentration): ScoreSample => ({
        title: `five repetitions at ${rate}, concentration ${concentration}`,
        mean: rate,
        draw: (random) => random.binomial(REPETITIONS, random.beta(rate, concentration)) / REPETITIONS,
      }),
    ),
  ),
  { title: 'scores near 0.9', mean: 0.9, draw: (random) => random.beta(0.9, 10) },
  { title: 'scores near 0.95 with a long tail', mean: 0.95, draw: (random) => random.beta(0.95, 2) },
  { title: 'scores near 0.05', mean: 0.05, draw: (random) => random.beta(0.05, 5) },
  {
    title: 'scores of 0.9, of which one in twenty is 0',
    mean: 0.855,
    draw: (random) => (random.uniform() < 0.05 ? 0 : 0.9),
  },
  {
    title: 'scores of 0.05, of which one in twenty is 1',
    mean: 0.0975,
    draw: (random) => (random.uniform() < 0.05 ? 1 : 0.05),
  },
];

export const SAMPLE_SIZES = [5, 10, 20, 100];
