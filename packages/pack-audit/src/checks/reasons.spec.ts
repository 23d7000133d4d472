import { expect, test } from '@jest/globals';
import { hasHung } from '../trials/pace.js';
import { unplannedResult } from '../trials/trial.js';
import { fixOfCause, whyNotPassed } from './reasons.js';

const STARVED = unplannedResult({ code: 'cpu_starved', message: 'the machine had too little CPU' });

test('graders that lacked a CPU beyond every extension of their limit count as hung, with a next step', () => {
  expect(hasHung(STARVED)).toBe(true);
  expect(whyNotPassed(STARVED)).toBe('cpu_starved: the machine had too little CPU');
  expect(fixOfCause(STARVED)).toContain('lower `timeout_ms` of the validators named');
});

test('a cause that is not known has its next step, too', () => {
  const killed = unplannedResult({ code: 'sandbox_killed', message: 'the sandbox ended' });
  expect(hasHung(killed)).toBe(false);
  expect(fixOfCause(killed)).toContain('Remove the cause that the detail names');
});
