import { expect, test } from '@jest/globals';
import { missingAttemptsLines } from './missing-attempts.js';

test('each side of a comparison lists how many attempts have no usable scorecard, why, and of which cases', () => {
  const candidate = {
    ...{ planned: 40, attempts: 7 },
    reasons: [
      { reason: 'provider_timeout', attempts: 5 },
      { reason: 'not_scored', attempts: 2 },
    ],
    cases: ['a', 'b', 'c', 'd'].map((case_key) => ({ case_key, reason: 'provider_timeout', attempts: 1 })),
  };
  const baseline = { planned: 40, attempts: 1, reasons: [], cases: [] };
  expect(missingAttemptsLines({ missing: { candidate, baseline } })).toEqual([
    'baseline: 1 of 40 attempts have no usable scorecard',
    'candidate: 7 of 40 attempts have no usable scorecard: 5 provider timeout (cases a, b, c and others), 2 not scored',
  ]);
  expect(missingAttemptsLines({})).toEqual([]);
});
