import { expect, test } from '@jest/globals';
import type { AttemptSummary } from '../aggregate/attempt-facts.js';
import { blockValue } from './block.js';

const attempt = (passed: boolean | null, overall: number | null): AttemptSummary => ({
  ...{ passed, overall, reason: 'threshold_met', validity: 'valid', dimensions: [] },
});
const pass = { metric: 'pass', strategy: 'weighted' } as const;
const overall = { metric: 'overall', strategy: 'weighted' } as const;

test('a block is the mean of its usable attempts, by verdict or by overall score', () => {
  const attempts = [attempt(true, 0.9), attempt(false, 0.3), attempt(true, 0.6), null];
  expect(blockValue(attempts, pass)).toBeCloseTo(2 / 3, 12);
  expect(blockValue(attempts, overall)).toBeCloseTo(0.6, 12);
});

test('a block without a usable attempt has no value, and an unknown verdict is no failure', () => {
  const invalid: AttemptSummary = { ...attempt(true, 1), validity: 'invalid' };
  expect(blockValue([], pass)).toBeNull();
  expect(blockValue([null, invalid], pass)).toBeNull();
  expect(blockValue([attempt(null, 0.4)], pass)).toBeNull();
  expect(blockValue([attempt(null, 0.4), attempt(true, null)], pass)).toBe(1);
  expect(blockValue([{ ...attempt(false, 0.4), reason: 'gate_unavailable' }], pass)).toBeNull();
});
