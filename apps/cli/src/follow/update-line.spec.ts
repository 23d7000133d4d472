import type { AttemptUpdate } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { updateLine } from './viewer.js';

const plain = picocolors.createColors(false);

function update(values: Partial<AttemptUpdate>): AttemptUpdate {
  return {
    ...{
      kind: 'scored',
      at: '2026-03-01T14:05:09.123Z',
      position: 7,
      laneIndex: 0,
      laneName: 'solver',
      attemptId: 'a',
      caseKey: 'small',
    },
    ...{
      repetition: 1,
      outcome: 'completed',
      passed: true,
      overall: 1,
      message: null,
      validity: 'valid',
      scored: 1,
      total: 3,
    },
    ...values,
  };
}

test('lines of a race are aligned: the verdict first, then the score, whose and on what', () => {
  const lines = [
    update({}),
    update({ laneName: 'a-much-longer-name', passed: false, overall: 0.25 }),
    update({ passed: null, overall: null, outcome: 'infra_error', message: 'the executor went away' }),
    update({ kind: 'retried', outcome: 'provider_error' }),
  ].map((each) => updateLine(each, plain));
  expect(lines).toEqual([
    '14:05:09Z  passed      1.000  solver  small #1  (1/3)',
    '14:05:09Z  failed      0.250  a-much-longer-name  small #1  (1/3)',
    '14:05:09Z  not graded  -      solver  small #1  infra_error: the executor went away  (1/3)',
    '14:05:09Z  again              solver  small #1  provider_error  (1/3)',
  ]);
});
