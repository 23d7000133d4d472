import { describe, expect, test } from '@jest/globals';
import { scoreChange } from './score-change.js';

const unscored = { revision: null, overall: null, passed: null };

describe('a scorecard', () => {
  test('that is the first counts as one more scored attempt', () => {
    expect(scoreChange(unscored, { revision: 1, overall: 0.5, passed: true })).toEqual({
      scored: 1,
      passed: 1,
      judged: 1,
      graded: 1,
      overallSum: 0.5,
    });
  });

  test('without an overall is scored but not graded', () => {
    expect(scoreChange(unscored, { revision: 1, overall: null, passed: null })).toEqual({
      scored: 1,
      passed: 0,
      judged: 0,
      graded: 0,
      overallSum: 0,
    });
  });

  test('that comes again, or late, changes nothing', () => {
    const scored = { revision: 2, overall: 1, passed: true };
    expect(scoreChange(scored, scored)).toBeUndefined();
    expect(scoreChange(scored, { ...scored, revision: 1 })).toBeUndefined();
  });

  test('of a later revision replaces the earlier one', () => {
    const before = { revision: 1, overall: 1, passed: true };
    expect(scoreChange(before, { revision: 2, overall: 0.25, passed: false })).toEqual({
      scored: 0,
      passed: -1,
      judged: 0,
      graded: 0,
      overallSum: -0.75,
    });
  });
});
