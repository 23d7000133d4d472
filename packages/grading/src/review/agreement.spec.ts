import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type PairItem, pairAgreement } from './pair-agreement.js';
import { type SingleItem, singleAgreement } from './single-agreement.js';
import type { Choice, PairReview, PassLabel, ReviewedJudge, Side, SingleReview } from './types.js';

const judge = (more: Partial<ReviewedJudge> = {}): ReviewedJudge => ({
  key: 'helpful',
  mode: 'rubric',
  threshold: 0.5,
  score_scale: { min: 1, max: 5 },
  expect: true,
  ...more,
});
const scored = (score: number | null) => [{ key: 'helpful', score, samples: [] }];
const single = (id: string, score: number | null): SingleItem => ({ id, judges: scored(score) });
const labelled = (item_id: string, rater: string, label: PassLabel, scores = {}): SingleReview => {
  return { item_id, rater, label, scores };
};
const pair = (
  id: string,
  first: number | null,
  second: number | null,
  more: Partial<PairItem> = {},
): PairItem => {
  return { id, repeats: null, round: id, first: scored(first), second: scored(second), ...more };
};
const vote = (item_id: string, rater: string, choice: Choice, first_shown: Side = 'left'): PairReview => {
  return { item_id, rater, choice, first_shown };
};

describe('the agreement of a judge with people over single outputs', () => {
  test('accuracy, TPR and TNR follow from the majority of people', () => {
    // The confusion matrix: 3 true positives, 1 false negative, 2 true negatives, 2 false positives.
    const cases: [PassLabel, number][] = [
      ['pass', 0.9],
      ['pass', 0.8],
      ['pass', 0.5],
      ['pass', 0.2],
      ['fail', 0.1],
      ['fail', 0.4],
      ['fail', 0.6],
      ['fail', 1],
    ];
    const items = cases.map(([, score], index) => single(String(index), score));
    const reviews = cases.flatMap(([label], index) => [
      labelled(String(index), 'ann', label),
      labelled(String(index), 'ben', label),
      labelled(String(index), 'cem', label === 'pass' ? 'fail' : 'pass'),
    ]);
    const [agreement] = singleAgreement([judge()], items, reviews).judges;
    expect(agreement).toEqual({
      ...{ key: 'helpful', mode: 'rubric', items: 8, undecided: 0 },
      ...{ accuracy: 5 / 8, tpr: 3 / 4, tnr: 2 / 4, flips: null },
    });
  });

  test('an item without a majority, or that the judge did not score, is not compared', () => {
    const items = [single('split', 1), single('unscored', null), single('unseen', 1)];
    const reviews = [
      labelled('split', 'ann', 'pass'),
      labelled('split', 'ben', 'fail'),
      labelled('unscored', 'ann', 'pass'),
    ];
    const [agreement] = singleAgreement([judge()], items, reviews).judges;
    expect(agreement).toMatchObject({ items: 0, undecided: 1, accuracy: null, tpr: null, tnr: null });
  });

  test('the score of a judge’s own criterion precedes the label of the whole output', () => {
    const items = [single('a', 0)];
    const byLabel = singleAgreement([judge()], items, [labelled('a', 'ann', 'pass')]);
    const byScore = singleAgreement([judge()], items, [labelled('a', 'ann', 'pass', { helpful: 2 })]);
    expect([byLabel.judges[0]?.accuracy, byScore.judges[0]?.accuracy]).toEqual([0, 1]);
  });

  test('an assertion that is expected not to hold passes where people find that it does not', () => {
    const assertion = judge({ mode: 'assertion', expect: false, score_scale: { min: 0, max: 1 } });
    const items = [single('a', 1), single('b', 0)];
    const reviews = [
      labelled('a', 'ann', 'fail', { helpful: 0 }),
      labelled('b', 'ann', 'pass', { helpful: 1 }),
    ];
    expect(singleAgreement([assertion], items, reviews).judges[0]).toMatchObject({
      ...{ items: 2, accuracy: 1, tpr: 1, tnr: 1 },
    });
  });

  test('the criteria of people have an ordinal and an interval alpha, and labels a nominal one', () => {
    const reviews = ['a', 'b', 'c'].flatMap((item, index) =>
      ['ann', 'ben'].map((rater) =>
        labelled(item, rater, index === 0 ? 'fail' : 'pass', { helpful: index + 1 }),
      ),
    );
    const { people } = singleAgreement([judge(), judge({ key: 'unused' })], [], reviews);
    expect(people).toMatchObject({ alpha: 1, criteria: [{ key: 'helpful', ordinal: 1, interval: 1 }] });
    expect(people.pairs).toEqual([{ raters: ['ann', 'ben'], items: 3, agreement: 1, kappa: 1 }]);
  });
});

describe('the agreement of a judge with people over pairs', () => {
  test('the judge agrees where it scores the output higher that most people prefer', () => {
    const items = [pair('a', 0.9, 0.1), pair('b', 0.1, 0.9), pair('c', 0.5, 0.5), pair('d', 0.3, 0.9)];
    const reviews = [
      ...['ann', 'ben', 'cem'].map((rater) => vote('a', rater, rater === 'cem' ? 'tie' : 'first')),
      vote('b', 'ann', 'first'),
      vote('c', 'ann', 'first'),
      vote('d', 'ann', 'tie'),
    ];
    const { judges } = pairAgreement([judge()], items, reviews);
    expect(judges[0]).toMatchObject({ items: 2, undecided: 2, accuracy: 0.5, tpr: null, tnr: null });
  });

  test('a rater that prefers the other output in the swapped order flips, and repeats count for nothing else', () => {
    const items = [pair('a', 1, 0), pair('a again', 1, 0, { repeats: 'a', round: 'a' })];
    const reviews = [
      vote('a', 'ann', 'first', 'left'),
      vote('a again', 'ann', 'second', 'right'),
      vote('a', 'ben', 'first', 'right'),
      vote('a again', 'ben', 'first', 'left'),
    ];
    const { people, judges } = pairAgreement([judge()], items, reviews);
    expect(people.flips).toEqual({ pairs: 2, flipped: 1 });
    expect(people.left).toEqual({ votes: 4, share: 3 / 4 });
    expect(people.pairs).toMatchObject([{ items: 1, agreement: 1 }]);
    expect(judges[0]).toMatchObject({ items: 1, accuracy: 1 });
  });

  test('the samples of a ranking judge count once for each round', () => {
    const samples = ['x', 'y', 'x', 'x', 'y'].map((winner, index) => {
      return { model: 'm', index, ranking: [winner] };
    });
    const judged = [{ key: 'helpful', score: 1, samples }];
    const items = ['a', 'b'].map((id) => ({ ...pair(id, 1, 0), round: 'one', first: judged }));
    const { judges } = pairAgreement([judge({ mode: 'n_wise' })], items, []);
    expect(judges[0]?.flips).toEqual({ pairs: 2, flipped: 1 });
  });

  test('the sides on which outputs were shown change nothing but the share of the left side', () => {
    const choice = fc.constantFrom<Choice>('first', 'second', 'tie');
    const votes = fc.uniqueArray(
      fc.record({
        item_id: fc.constantFrom('a', 'b', 'c'),
        rater: fc.constantFrom('ann', 'ben', 'cem'),
        choice,
        first_shown: fc.constantFrom<Side>('left', 'right'),
      }),
      { selector: ({ item_id, rater }) => `${item_id} ${rater}` },
    );
    const items = [pair('a', 1, 0), pair('b', 0, 1), pair('c', 0.2, 0.1)];
    fc.assert(
      fc.property(votes, (reviews) => {
        const swapped = reviews.map((each) => {
          return { ...each, first_shown: each.first_shown === 'left' ? 'right' : 'left' } as const;
        });
        const [one, other] = [reviews, swapped].map((each) => pairAgreement([judge()], items, each));
        expect({ ...other?.people, left: null }).toEqual({ ...one?.people, left: null });
        expect(other?.judges).toEqual(one?.judges);
        const { votes: decided = 0, share } = one?.people.left ?? {};
        expect(other?.people.left?.share ?? null).toEqual(
          decided === 0 ? null : expect.closeTo(1 - (share ?? 0), 12),
        );
      }),
    );
  });
});
