import { OUTCOMES } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { addCounts, noCounts, overallSoFar, progressOf } from './progress.js';

describe('progress', () => {
  test('counts every attempt once, over all agents', () => {
    const one = addCounts(noCounts(), { queued: 2, running: 1, byOutcome: { completed: 3, infra_error: 1 } });
    const other = addCounts(noCounts(), { scored: 2, usable: 1, passed: 1, byOutcome: { completed: 2 } });
    expect(progressOf([one, other])).toEqual({
      total: 9,
      queued: 2,
      running: 1,
      finished: 6,
      scored: 2,
      graded: 1,
      passed: 1,
      by_outcome: { completed: 5, infra_error: 1 },
    });
  });

  test('names only the outcomes that there are', () => {
    expect(progressOf([noCounts()]).by_outcome).toEqual({});
    for (const outcome of OUTCOMES) {
      expect(progressOf([addCounts(noCounts(), { byOutcome: { [outcome]: 1 } })]).by_outcome).toEqual({
        [outcome]: 1,
      });
    }
  });

  test('has a mean only once something was graded', () => {
    expect(overallSoFar(noCounts())).toBeNull();
    expect(overallSoFar(addCounts(noCounts(), { graded: 4, overallSum: 3 }))).toBe(0.75);
  });
});
