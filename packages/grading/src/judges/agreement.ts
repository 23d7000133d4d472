import type { JudgeKind } from '@agentclash/challengepack';
import { squaredDeviations, sum } from '../statistics/sample.js';
import type { JudgeResult } from './types.js';

export type AgreementMetric = 'nominal' | 'ordinal' | 'interval';

/** Each rater's rating of one unit; null where it gave none. */
export type RatedUnit = readonly (number | null)[];

/**
 * Krippendorff's α: 1 is perfect agreement, 0 is chance; null when the ratings do not vary. Units with fewer than two
 * ratings are ignored. Linear in the number of ratings, apart from their order.
 */
export function krippendorffAlpha(units: readonly RatedUnit[], metric: AgreementMetric): number | null {
  const rated = units
    .map((unit) => unit.flatMap((rating) => rating ?? []))
    .filter(({ length }) => length > 1);
  const pairable = metric === 'ordinal' ? midRanks(rated) : rated;
  const spread = metric === 'nominal' ? nominalSpread : intervalSpread;
  const count = sum(pairable.map(({ length }) => length));
  const observed = sum(pairable.map((ratings) => spread(ratings) / (ratings.length - 1)));
  const expected = spread(pairable.flat()) / (count - 1);
  return expected > 0 ? 1 - observed / expected : null;
}

/** The number of ordered pairs of ratings that differ. */
function nominalSpread(ratings: readonly number[]): number {
  return ratings.length ** 2 - sum([...countsOf(ratings).values()].map((count) => count ** 2));
}

/** The sum of squared differences over all ordered pairs, 2·n·Σ(x − x̄)²: exactly 0 for equal ratings. */
function intervalSpread(ratings: readonly number[]): number {
  const [first = 0] = ratings;
  if (ratings.every((rating) => rating === first)) return 0;
  const center = sum(ratings) / ratings.length;
  return 2 * ratings.length * squaredDeviations(ratings, center);
}

/**
 * Every rating as its mean rank among all: the ordinal distance of two ratings, the ratings between them and half of
 * those at either end, is the difference of their mean ranks.
 */
function midRanks(units: readonly (readonly number[])[]): number[][] {
  const counts = [...countsOf(units.flat())].sort(([a], [b]) => a - b);
  const ranks = new Map<number, number>();
  let below = 0;
  for (const [rating, count] of counts) {
    ranks.set(rating, below + (count + 1) / 2);
    below += count;
  }
  return units.map((unit) => unit.map((rating) => ranks.get(rating) ?? 0));
}

function countsOf(ratings: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  return counts;
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
