import { krippendorffAlpha, type RatedUnit } from '../judges/agreement.js';
import { isAtLeast } from '../tolerance.js';
import { groupBy, majorityOf } from './majority.js';
import { categoryAlpha, raterPairs } from './people.js';
import type {
  CriterionAgreement,
  JudgeAgreement,
  JudgedAttempt,
  PassLabel,
  ReviewAgreement,
  ReviewedJudge,
  SingleReview,
} from './types.js';

export interface SingleItem {
  readonly id: string;
  readonly judges: readonly JudgedAttempt[];
}

/** Agreement of people with each other and of each judge with them, over single outputs. One review per item and rater. */
export function singleAgreement(
  judges: readonly ReviewedJudge[],
  items: readonly SingleItem[],
  reviews: readonly SingleReview[],
): ReviewAgreement {
  const labelOf = ({ label }: SingleReview) => label;
  const byItem = groupBy(reviews, ({ item_id }) => item_id);
  return {
    people: {
      alpha: categoryAlpha(reviews, ['pass', 'fail'], labelOf),
      criteria: judges.flatMap((judge) => criterionAgreement(judge, [...byItem.values()]) ?? []),
      pairs: raterPairs(reviews, labelOf),
      left: null,
      flips: null,
    },
    judges: judges.filter(({ mode }) => mode !== 'n_wise').map((judge) => judgeAgainst(judge, items, byItem)),
  };
}

/** Undefined for a criterion without a score. */
function criterionAgreement(
  { key }: ReviewedJudge,
  reviewsByItem: readonly SingleReview[][],
): CriterionAgreement | undefined {
  const units = reviewsByItem.map((unit): RatedUnit => unit.map(({ scores }) => scoreOf(scores, key)));
  if (units.every((unit) => unit.every((score) => score === null))) return undefined;
  return {
    key,
    ordinal: krippendorffAlpha(units, 'ordinal'),
    interval: krippendorffAlpha(units, 'interval'),
  };
}

function judgeAgainst(
  judge: ReviewedJudge,
  items: readonly SingleItem[],
  byItem: ReadonlyMap<string, readonly SingleReview[]>,
): JudgeAgreement {
  const counts = { pass: { agreed: 0, of: 0 }, fail: { agreed: 0, of: 0 } };
  let undecided = 0;
  for (const { id, judges } of items) {
    const reviews = byItem.get(id) ?? [];
    const score = judges.find(({ key }) => key === judge.key)?.score ?? null;
    if (reviews.length === 0 || score === null) continue;
    const people = majorityOf(reviews.map((review) => verdictOf(review, judge)));
    if (people === undefined) {
      undecided += 1;
      continue;
    }
    counts[people].of += 1;
    if ((isAtLeast(score, judge.threshold) ? 'pass' : 'fail') === people) counts[people].agreed += 1;
  }
  const { pass, fail } = counts;
  const compared = pass.of + fail.of;
  return {
    ...{ key: judge.key, mode: judge.mode, items: compared, undecided },
    accuracy: share(pass.agreed + fail.agreed, compared),
    tpr: share(pass.agreed, pass.of),
    tnr: share(fail.agreed, fail.of),
    flips: null,
  };
}

/** A rater's verdict on what the judge judges: by the score of its criterion, else by the label of the whole output. */
function verdictOf({ label, scores }: SingleReview, judge: ReviewedJudge): PassLabel {
  const score = scoreOf(scores, judge.key);
  if (score === null) return label;
  if (judge.mode === 'assertion') return (score === 1) === judge.expect ? 'pass' : 'fail';
  const { min, max } = judge.score_scale;
  return isAtLeast((score - min) / (max - min), judge.threshold) ? 'pass' : 'fail';
}

function scoreOf(scores: SingleReview['scores'], key: string): number | null {
  return Object.hasOwn(scores, key) ? (scores[key] ?? null) : null;
}

export function share(count: number, of: number): number | null {
  return of === 0 ? null : count / of;
}
