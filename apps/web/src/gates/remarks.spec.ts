import { describe, expect, test } from '@jest/globals';
import { policyNotes } from './remarks.js';

describe('the remarks on a decision', () => {
  test('the remarks name uncompared cases and the detectable difference', () => {
    const reasons = ['within_thresholds'];
    const notes = ['dimension_unavailable:cost'];
    expect(policyNotes({ reasons, notes, detectable: { correctness: 0.126, tone: null } })).toEqual([
      'note: cost: not scored on both sides',
      'correctness: a loss of 0.126 or more would have been significant (80 % power)',
      'tone: so few cases could not show any loss',
    ]);
  });

  test('the remarks do not repeat a reason, and are empty for a decision of an earlier release', () => {
    const reasons = ['too_few_cases_to_test:tone'];
    expect(policyNotes({ reasons, detectable: { tone: null } })).toEqual([]);
    expect(policyNotes({ reasons })).toEqual([]);
  });
});
