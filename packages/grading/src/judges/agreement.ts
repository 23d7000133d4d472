import type { JudgeKind } from '@agentclash/challengepack';
import { sum } from '../statistics/sample.js';
import type { JudgeResult } from './types.js';

/** The distance of two ratings. */
const DISTANCES = {
  nominal: (a: number, b: number) => (a === b ? 0 : 1),
  interval: (a: number, b: number) => (a - b) ** 2,
};
export type AgreementMetric = keyof typeof DISTANCES;

/** Each rater's rating of one unit; null where it gave none. */
export type RatedUnit = readonly (number | null)[];

/** Krippendorff's α: 1 is perfect agreement, 0 is chance; null when the ratings do not vary. */
export function krippendorffAlpha(units: readonly RatedUnit[], metric: AgreementMetric): number | null {
  const pairable = units
    .map((unit) => unit.flatMap((rating) => rating ?? []))
    .filter(({ length }) => length > 1);
  const distance = DISTANCES[metric];
  const count = sum(pairable.map(({ length }) => length));
  const observed = sum(pairable.map((ratings) => pairDistances(ratings, distance) / (ratings.length - 1)));
  const expected = expectedDistances(pairable.flat(), distance) / (count - 1);
  return expected > 0 ? 1 - observed / expected : null;
}

/** The sum over all ordered pairs. */
function pairDistances(ratings: readonly number[], distance: (a: number, b: number) => number): number {
  return sum(ratings.map((a) => sum(ratings.map((b) => distance(a, b)))));
}

/** The same over all ratings of the run, counted by value: a run has thousands of ratings but few values. */
function expectedDistances(ratings: readonly number[], distance: (a: number, b: number) => number): number {
  const counts = new Map<number, number>();
  for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  const values = [...counts];
  return sum(values.map(([a, m]) => sum(values.map(([b, n]) => m * n * distance(a, b)))));
}

/** The ratings of one attempt by one judge's raters: its models, or the samples of its only model. */
export function ratedUnit({
  model_scores,
  samples,
}: Pick<JudgeResult, 'model_scores' | 'samples'>): RatedUnit {
  const models = Object.values(model_scores);
  return models.length > 1 ? models : samples.map(({ score }) => score);
}

/** Agreement of one judge over a run's attempts, each rated by its models or by the samples of its only model. */
export function judgeAgreement(mode: JudgeKind, units: readonly RatedUnit[]): number | null {
  return krippendorffAlpha(units, mode === 'assertion' ? 'nominal' : 'interval');
}
