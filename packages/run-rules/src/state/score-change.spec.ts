import { describe, expect, test } from '@jest/globals';
import { scoreChange, scoreWithdrawn } from './score-change.js';

const unscored = { revision: null, overall: null, passed: null, validity: null };
const valid = { validity: 'valid' };

describe('a scorecard', () => {
  test('the first scorecard counts as one more scored attempt', () => {
    expect(scoreChange(unscored, { revision: 1, overall: 0.5, passed: true, ...valid })).toEqual({
      scored: 1,
      passed: 1,
      usable: 1,
      judged: 1,
      graded: 1,
      overallSum: 0.5,
    });
  });

  test('a valid scorecard without an overall is usable, and adds nothing to the mean', () => {
    expect(scoreChange(unscored, { revision: 1, overall: null, passed: null, ...valid })).toEqual({
      scored: 1,
      passed: 0,
      usable: 1,
      judged: 0,
      graded: 0,
      overallSum: 0,
    });
  });

  test('a repeated or late scorecard changes nothing', () => {
    const scored = { revision: 2, overall: 1, passed: true, ...valid };
    expect(scoreChange(scored, scored)).toBeUndefined();
    expect(scoreChange(scored, { ...scored, revision: 1 })).toBeUndefined();
  });

  test('a scorecard of a later revision replaces the earlier one', () => {
    const before = { revision: 1, overall: 1, passed: true, ...valid };
    expect(scoreChange(before, { revision: 2, overall: 0.25, passed: false, ...valid })).toEqual({
      scored: 0,
      passed: -1,
      usable: 0,
      judged: 0,
      graded: 0,
      overallSum: -0.75,
    });
  });

  test('an invalid scorecard is scored and not usable, until a later revision is valid', () => {
    const invalid = { revision: 1, overall: null, passed: null, validity: 'invalid' };
    expect(scoreChange(unscored, invalid)).toMatchObject({ scored: 1, usable: 0 });
    const later = { revision: 2, overall: 1, passed: true, ...valid };
    expect(scoreChange(invalid, later)).toMatchObject({ scored: 0, usable: 1 });
    expect(scoreWithdrawn(invalid)).toMatchObject({ scored: -1, usable: -0 });
    expect(scoreWithdrawn(later)).toMatchObject({ scored: -1, usable: -1 });
  });
});
