import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import type { AttemptLanding } from './landing.js';
import { landingLine } from './landing-line.js';

const plain = picocolors.createColors(false);

function landing(values: Partial<AttemptLanding>): AttemptLanding {
  return {
    ...{ kind: 'scored', at: '2026-03-01T14:05:09.123Z', lane: 'solver', attemptId: 'a', caseKey: 'small' },
    ...{
      repetition: 1,
      outcome: 'completed',
      passed: true,
      overall: 1,
      message: undefined,
      validity: 'valid',
      scored: 1,
      total: 3,
    },
    ...values,
  };
}

test('lines of a race are aligned: the verdict first, then the score, whose and on what', () => {
  const lines = [
    landing({}),
    landing({ lane: 'a-much-longer-name', passed: false, overall: 0.25 }),
    landing({ passed: null, overall: null, outcome: 'infra_error', message: 'the executor went away' }),
    landing({ kind: 'retried', outcome: 'provider_error' }),
  ].map((each) => landingLine(each, plain));
  expect(lines).toEqual([
    '14:05:09Z  passed      1.000  solver  small #1  (1/3)',
    '14:05:09Z  failed      0.250  a-much-longer-name  small #1  (1/3)',
    '14:05:09Z  not graded  -      solver  small #1  infra_error: the executor went away  (1/3)',
    '14:05:09Z  again              solver  small #1  provider_error  (1/3)',
  ]);
});
