import { describe, expect, test } from '@jest/globals';
import { caseRows, isFlaky, ordered } from './cells.js';

const CARDS = [
  {
    cases: [
      { case_key: 'b', overall: 1, trials: 2, successes: 2 },
      { case_key: 'a', overall: 0.5, trials: 2, successes: 1 },
    ],
  },
  { cases: [{ case_key: 'b', overall: 0, trials: 2, successes: 0 }] },
  null,
];

describe('the case matrix', () => {
  test('the matrix has a row for every case of any lane, and a gap where a lane has none', () => {
    expect(caseRows(CARDS)).toEqual([
      { caseKey: 'a', cells: [{ overall: 0.5, trials: 2, successes: 1 }, null, null] },
      {
        caseKey: 'b',
        cells: [{ overall: 1, trials: 2, successes: 2 }, { overall: 0, trials: 2, successes: 0 }, null],
      },
    ]);
  });

  test('numbers in keys are in their order', () => {
    const cases = ['c10', 'c2', 'c1', 'b'].map((case_key) => ({
      case_key,
      overall: 1,
      trials: 1,
      successes: 1,
    }));
    expect(caseRows([{ cases }]).map(({ caseKey }) => caseKey)).toEqual(['b', 'c1', 'c2', 'c10']);
  });

  test('a case whose trials disagree is flaky; one that always passes or always fails is not', () => {
    const flaky = [0, 1, 2].map((successes) => isFlaky({ overall: null, trials: 2, successes }));
    expect(flaky).toEqual([false, true, false]);
  });

  test('the matrix can be sorted by relevance', () => {
    const rows = caseRows(CARDS);
    const keys = (order: Parameters<typeof ordered>[1]) => ordered(rows, order).map(({ caseKey }) => caseKey);
    expect([keys('case'), keys('most different'), keys('flaky')]).toEqual([
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
    ]);
  });
});
