import { type OrderFlips, orderFlips } from '../judges/n-wise.js';
import { sum } from '../statistics/sample.js';
import { isSame } from '../tolerance.js';
import { groupBy, majorityOf } from './majority.js';
import { categoryAlpha, raterPairs } from './people.js';
import { share } from './single-agreement.js';
import type {
  Choice,
  JudgeAgreement,
  JudgedAttempt,
  PairReview,
  PeopleAgreement,
  ReviewAgreement,
  ReviewedJudge,
} from './types.js';

export interface PairItem {
  readonly id: string;
  /** The item that shows the same pair, which this one repeats in the other order; null otherwise. */
  readonly repeats: string | null;
  /** The same for all items of one case and repetition. */
  readonly round: string;
  readonly first: readonly JudgedAttempt[];
  readonly second: readonly JudgedAttempt[];
}

/**
 * Agreement of people with each other and of each judge with them, over pairs of outputs. One review per item and rater;
 * reviews of repeated items count for flips alone.
 */
export function pairAgreement(
  judges: readonly ReviewedJudge[],
  items: readonly PairItem[],
  reviews: readonly PairReview[],
): ReviewAgreement {
  const repeated = new Map(
    items.flatMap(({ id, repeats }) => (repeats === null ? [] : [[id, repeats] as const])),
  );
  const originals = items.filter(({ repeats }) => repeats === null);
  const counted = reviews.filter(({ item_id }) => !repeated.has(item_id));
  const choiceOf = ({ choice }: PairReview) => choice;
  return {
    people: {
      alpha: categoryAlpha(counted, ['first', 'second', 'tie'], choiceOf),
      criteria: [],
      pairs: raterPairs(counted, choiceOf),
      left: leftShare(reviews),
      flips: flipsOfPeople(reviews, repeated),
    },
    judges: judges.map((judge) => judgeAgainst(judge, originals, counted)),
  };
}

function leftShare(reviews: readonly PairReview[]): PeopleAgreement['left'] {
  const decided = reviews.filter(({ choice }) => choice !== 'tie');
  const left = decided.filter(({ choice, first_shown }) => (choice === 'first') === (first_shown === 'left'));
  return { votes: decided.length, share: share(left.length, decided.length) };
}

/** Each rater against itself: a different winner, or a tie in place of one, is a flip. */
function flipsOfPeople(reviews: readonly PairReview[], repeated: ReadonlyMap<string, string>): OrderFlips {
  const choices = new Map(
    reviews.map(({ item_id, rater, choice }) => [JSON.stringify([item_id, rater]), choice]),
  );
  let [pairs, flipped] = [0, 0];
  for (const { item_id, rater, choice } of reviews) {
    const before = choices.get(JSON.stringify([repeated.get(item_id), rater]));
    if (before === undefined) continue;
    pairs += 1;
    if (before !== choice) flipped += 1;
  }
  return { pairs, flipped };
}

function judgeAgainst(
  { key, mode }: ReviewedJudge,
  items: readonly PairItem[],
  reviews: readonly PairReview[],
): JudgeAgreement {
  const byItem = groupBy(reviews, ({ item_id }) => item_id);
  let [compared, agreed, undecided] = [0, 0, 0];
  for (const { id, first, second } of items) {
    const votes = byItem.get(id) ?? [];
    const judged = preference(scoreOf(first, key), scoreOf(second, key));
    if (votes.length === 0 || judged === undefined) continue;
    const people = majorityOf(votes.map(({ choice }) => choice));
    if (people === undefined || people === 'tie' || judged === 'tie') {
      undecided += 1;
      continue;
    }
    compared += 1;
    if (people === judged) agreed += 1;
  }
  return {
    ...{ key, mode, items: compared, undecided },
    ...{ accuracy: share(agreed, compared), tpr: null, tnr: null },
    flips: mode === 'n_wise' ? flipsOfJudge(key, items) : null,
  };
}

function scoreOf(judged: readonly JudgedAttempt[], judge: string): number | null {
  return judged.find(({ key }) => key === judge)?.score ?? null;
}

/** Undefined where the judge did not score both. */
function preference(first: number | null, second: number | null): Choice | undefined {
  if (first === null || second === null) return undefined;
  if (isSame(first, second)) return 'tie';
  return first > second ? 'first' : 'second';
}

/** Attempts of one round share their samples. */
function flipsOfJudge(key: string, items: readonly PairItem[]): OrderFlips {
  const rounds = new Map(items.map(({ round, first }) => [round, first.find((each) => each.key === key)]));
  const flips = [...rounds.values()].map((judged) => orderFlips(judged?.samples ?? []));
  return {
    pairs: sum(flips.map(({ pairs }) => pairs)),
    flipped: sum(flips.map(({ flipped }) => flipped)),
  };
}
