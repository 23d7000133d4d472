import { expect, test } from '@jest/globals';
import { run } from '../testing/factories.js';
import { statusLine } from './run-end.js';

test.each([
  ['failed', 'The run failed'],
  ['cancelled', 'The run was cancelled'],
  ['scoring', 'The run is being scored'],
  ['paused', 'The run is paused'],
] as const)('a run of status %s ends with: %s', (status, line) => {
  expect(statusLine(run({ status }))).toBe(line);
});

test('a failed run ends with its reason, on one line', () => {
  const failure = { code: 'nothing_graded', message: 'No attempt\nwas graded.' };
  expect(statusLine(run({ status: 'failed', failure }))).toBe('The run failed: No attempt ⏎ was graded.');
});
