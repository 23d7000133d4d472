import { describe, expect, test } from '@jest/globals';
import type { RunAgentScorecard } from '../aggregate/types.js';
import type { GateSubject } from './evidence.js';
import { evaluateMinimums } from './minimums.js';

const ESTIMATE = { n: 4, mean: 0.75, sd: 0.5, se: 0.25, ci: null, interval: [0.2, 0.99] };
const CARD = {
  ...{ validity: 'valid', passed: null, missing_share: 0, max_missing_share: 0.1, reason: 'no_pass_bar' },
  ...{ overall: ESTIMATE, pass_rate: { ...ESTIMATE, mean: 0.5 } },
  dimensions: { correctness: { ...ESTIMATE, raw: null }, cost: { ...ESTIMATE, mean: null, raw: null } },
} as unknown as RunAgentScorecard;

const subject = (changes: Partial<GateSubject> = {}): GateSubject => ({
  ...{ scorecard: CARD, completed_attempts: 4, selective_retry: false },
  ...changes,
});

describe('a gate by minimums', () => {
  test('scores at their minimum pass, whatever the measure', () => {
    const minimums = { overall: 0.75, pass_rate: 0.5, correctness: 0.7 };
    expect(evaluateMinimums(minimums, subject(), false)).toEqual({
      ...{ verdict: 'pass', exit_code: 0, reasons: ['minimums_met'], notes: [] },
      measures: {
        overall: { min: 0.75, mean: 0.75, interval: [0.2, 0.99] },
        pass_rate: { min: 0.5, mean: 0.5, interval: [0.2, 0.99] },
        correctness: { min: 0.7, mean: 0.75, interval: [0.2, 0.99] },
      },
    });
  });

  test('each score below its minimum fails the gate', () => {
    const found = evaluateMinimums({ overall: 0.76, correctness: 0.7, pass_rate: 1 }, subject(), false);
    expect(found).toMatchObject({
      ...{ verdict: 'fail', exit_code: 1 },
      reasons: ['below_minimum:overall', 'below_minimum:pass_rate'],
    });
  });

  test('a measure that the candidate has no score of is no pass, nor is one that a prototype has', () => {
    for (const key of ['cost', 'latency', 'constructor', '__proto__'])
      expect(evaluateMinimums(Object.fromEntries([[key, 0]]), subject(), false)).toMatchObject({
        ...{ verdict: 'insufficient_evidence', exit_code: 3, reasons: [`measure_unknown:${key}`] },
      });
  });

  test.each<[string, Partial<GateSubject>, string]>([
    ['has no scorecard', { scorecard: null }, 'candidate_scorecard_invalid'],
    [
      'lacks more than its spec allows',
      { scorecard: { ...CARD, missing_share: 0.11 } },
      'candidate_missing_share',
    ],
    ['retried attempts by their result', { selective_retry: true }, 'candidate_selective_retry'],
    ['was served recorded replies', { recorded_model_calls: true }, 'candidate_recorded_model_calls'],
    ['was imported', { imported: true }, 'candidate_imported'],
  ])('a candidate that %s carries no decision', (_what, changes, reason) => {
    const found = evaluateMinimums({ overall: 0 }, subject(changes), false);
    expect(found).toMatchObject({ verdict: 'insufficient_evidence', exit_code: 3 });
    expect(found.reasons).toContain(reason);
  });

  test('a candidate that lacks no more than its spec allows is decided', () => {
    const scorecard = { ...CARD, missing_share: 0.1 };
    expect(evaluateMinimums({ overall: 0 }, subject({ scorecard }), false).verdict).toBe('pass');
  });

  test('a run that stopped early carries no decision', () => {
    expect(evaluateMinimums({ overall: 0 }, subject(), true).reasons).toEqual(['stopped_early']);
  });
});
