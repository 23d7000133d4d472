import {
  ATTEMPT_STATES,
  type AttemptState,
  canAttemptMove,
  isHeld,
  OUTCOMES,
  RUN_STATUSES,
} from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { afterDelivery, claimConflict, interruptedResult, stateAfterReport } from './delivery-state.js';

const now = new Date('2026-01-01T00:00:00Z');
const ended = (outcome: (typeof OUTCOMES)[number], retryable = true) => ({
  outcome,
  error: { code: 'x', message: 'x', retryable },
  retry_after_ms: null,
});
const end = { delivery: 1, runStatus: 'running', now, random: 0.5 } as const;

describe('a delivery that ended', () => {
  test.each(OUTCOMES.map((outcome) => [outcome]))(
    'a delivery ended as %s is followed by another only when the error was not the agent’s',
    (outcome) => {
      const isOurs = outcome === 'infra_error' || outcome === 'provider_error';
      expect(afterDelivery({ ...end, result: ended(outcome) }).next).toBe(isOurs ? 'queued' : 'finished');
    },
  );

  test('a delivery ended by a permanent provider error is the last', () => {
    expect(afterDelivery({ ...end, result: ended('provider_error', false) }).next).toBe('finished');
  });

  test('a delivery is retried after a wait that doubles, three deliveries in all', () => {
    const waits = [1, 2, 3].map((delivery) => {
      const after = afterDelivery({ ...end, delivery, result: ended('infra_error') });
      return after.next === 'queued' ? after.notBefore.getTime() - now.getTime() : 'over';
    });
    expect(waits).toEqual([10_000, 20_000, 'over']);
  });

  test('a retry waits for the Retry-After of the provider when that is longer', () => {
    const after = afterDelivery({ ...end, result: { ...ended('provider_error'), retry_after_ms: 90_000 } });
    expect(after).toEqual({ next: 'queued', notBefore: new Date(now.getTime() + 90_000) });
  });

  test.each(RUN_STATUSES.map((status) => [status]))(
    'an attempt of a run that is %s is retried only while the run has not ended',
    (runStatus) => {
      const isOver = ['completed', 'failed', 'cancelled'].includes(runStatus);
      const after = afterDelivery({ ...end, runStatus, result: ended('infra_error') });
      expect(after.next).toBe(isOver ? 'finished' : 'queued');
    },
  );
});

test('a cancelled delivery is no error, and a lost one is an infrastructure error', () => {
  const why = { code: 'worker_lost', message: 'silent', lastSequence: 4 };
  expect(interruptedResult({ outcome: 'cancelled', ...why })).toMatchObject({
    error: null,
    last_sequence: 4,
  });
  expect(interruptedResult({ outcome: 'infra_error', ...why })).toMatchObject({
    error: { code: 'worker_lost', retryable: true },
    finished_by: 'none',
  });
});

const PAIRS = ATTEMPT_STATES.flatMap((from) => ATTEMPT_STATES.map((to) => ({ from, to })));

describe('an attempt', () => {
  test.each(PAIRS)(
    'an attempt in $from, reported as $to, moves only by a step of its executor; no report parks or resumes',
    ({ from, to }) => {
      const isParking = from === 'parked' || to === 'parked';
      const isStep = isHeld(to) && canAttemptMove(from, to) && !isParking;
      expect(stateAfterReport(from, to)).toBe(isStep ? to : from);
    },
  );

  test.each(ATTEMPT_STATES.filter(isHeld))(
    'an attempt in %s is neither queued nor finished by a report',
    (from) => {
      for (const reported of ATTEMPT_STATES) expect(isHeld(stateAfterReport(from, reported))).toBe(true);
    },
  );
});

describe('a claim', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const later = new Date(now.getTime() + 1);
  const states: [AttemptState, string | undefined][] = ATTEMPT_STATES.map((state) => [
    state,
    state === 'queued' ? undefined : isHeld(state) ? 'held' : 'finished',
  ]);

  test.each(states)('a claim of an attempt in %s is refused as %s', (state, conflict) => {
    expect(claimConflict({ state, runStatus: 'running', notBefore: null, now })).toBe(conflict);
  });

  test.each(RUN_STATUSES.map((status) => [status]))(
    'a claim in a run that is %s is granted only while it runs',
    (runStatus) => {
      const over = ['completed', 'failed', 'cancelled'].includes(runStatus);
      const live = ['queued', 'running'].includes(runStatus);
      const conflict = live ? undefined : over ? 'run_over' : 'run_paused';
      expect(claimConflict({ state: 'queued', runStatus, notBefore: null, now })).toBe(conflict);
    },
  );

  test('a claim of a retry is granted once its wait has ended', () => {
    const claim = { state: 'queued', runStatus: 'running', now } as const;
    expect(claimConflict({ ...claim, notBefore: later })).toBe('waiting');
    expect(claimConflict({ ...claim, notBefore: now })).toBeUndefined();
  });
});
