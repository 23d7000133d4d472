import { expect, test } from '@jest/globals';
import { runAgentVerdict } from './verdict.js';

const attempt = {
  case_key: 'c',
  overall: null,
  passed: false,
  reason: 'no_evidence',
  validity: 'degraded',
  gates: {},
  dimensions: {},
  raw: {},
} as const;

const NONE_MISSING = { missing_share: 0, max_missing_share: 0.05 };

test('a threshold without any score is failed in hybrid, where the gates did hold, and open in weighted', () => {
  const input = {
    pass_threshold: 0.5,
    usable: [attempt],
    overall: null,
    gates: { safety: true },
    ...NONE_MISSING,
  };
  expect(runAgentVerdict({ ...input, strategy: 'hybrid' })).toEqual({ passed: false, reason: 'no_evidence' });
  expect(runAgentVerdict({ ...input, strategy: 'weighted' })).toEqual({
    passed: null,
    reason: 'no_evidence',
  });
});
