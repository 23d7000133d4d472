import { ATTEMPT_STATES, type AttemptState, canAttemptMove, isHeld, RUN_STATUSES } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { claimRefusal, stateAfterReport } from './attempt-state.js';

const PAIRS = ATTEMPT_STATES.flatMap((from) => ATTEMPT_STATES.map((to) => ({ from, to })));

describe('an attempt', () => {
  test.each(PAIRS)(
    'in $from, reported as $to, goes there if that is a step on of its executor; no report parks or resumes',
    ({ from, to }) => {
      const isParking = from === 'parked' || to === 'parked';
      const isStep = isHeld(to) && canAttemptMove(from, to) && !isParking;
      expect(stateAfterReport(from, to)).toBe(isStep ? to : from);
    },
  );

  test.each(ATTEMPT_STATES.filter(isHeld))('in %s is neither queued nor finished by a report', (from) => {
    for (const reported of ATTEMPT_STATES) expect(isHeld(stateAfterReport(from, reported))).toBe(true);
  });
});

describe('a claim', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const later = new Date(now.getTime() + 1);
  const states: [AttemptState, string | undefined][] = ATTEMPT_STATES.map((state) => [
    state,
    state === 'queued' ? undefined : state === 'finished' ? 'finished' : 'held',
  ]);

  test.each(states)('a claim of an attempt in %s is refused as %s', (state, refusal) => {
    expect(claimRefusal({ state, runStatus: 'running', notBefore: null, now })).toBe(refusal);
  });

  test.each(RUN_STATUSES.map((status) => [status]))(
    'in a run that is %s is granted only while it runs',
    (runStatus) => {
      const over = ['completed', 'failed', 'cancelled'].includes(runStatus);
      const live = ['queued', 'running'].includes(runStatus);
      const refusal = live ? undefined : over ? 'run_over' : 'run_paused';
      expect(claimRefusal({ state: 'queued', runStatus, notBefore: null, now })).toBe(refusal);
    },
  );

  test('of a retry is granted once its wait is over', () => {
    const claim = { state: 'queued', runStatus: 'running', now } as const;
    expect(claimRefusal({ ...claim, notBefore: later })).toBe('waiting');
    expect(claimRefusal({ ...claim, notBefore: now })).toBeUndefined();
  });
});
