import { type Progress, runEvents } from '@agentclash/contracts';
import type { AttemptState, OrchestratorEventPayloads, Outcome, RunStatus } from '@agentclash/domain';
import type { RunChange } from './run-change.js';

/** The identity of an attempt, for counts and facts. */
export interface AttemptIdentity {
  id: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
}

/** An attempt that ended while it was queued. */
export interface UnclaimedAttempt extends AttemptIdentity {
  isScored: boolean;
}

export interface AttemptMove {
  from: AttemptState;
  to: AttemptState;
  reason?: string;
}

/** Writes an attempt's step into the run's history. */
export function recordMove(change: RunChange, attempt: AttemptIdentity, move: AttemptMove): void {
  const { id: attempt_id, runAgentId: run_agent_id, caseKey: case_key, repetition } = attempt;
  change.record({
    type: 'attempt.state_changed',
    payload: { ...move } satisfies OrchestratorEventPayloads['attempt.state_changed'],
    attempt: { run_agent_id, attempt_id, case_key, repetition },
  });
}

/** Counts and records the end of an attempt that was still queued. */
export function recordUnclaimedEnd(
  change: RunChange,
  attempt: UnclaimedAttempt,
  { outcome, reason }: { outcome: Outcome; reason: string },
): void {
  const { runAgentId, isScored } = attempt;
  change.count(runAgentId, { queued: -1, scored: isScored ? 1 : 0, byOutcome: { [outcome]: 1 } });
  change.unfinished -= 1;
  change.unscored -= isScored ? 1 : 0;
  recordMove(change, attempt, { from: 'queued', to: 'finished', reason });
}

/** Moves the run, in its history and on the bus. */
export function moveRun(
  change: RunChange,
  to: RunStatus,
  details: { counts: Progress; reason?: string },
): void {
  const from = change.status;
  change.set({ status: to });
  const payload = {
    from,
    to,
    ...(details.reason !== undefined && { reason: details.reason }),
    counts: details.counts,
  };
  change.recordAndPublish(runEvents.stateChanged, { type: 'run.state_changed', payload });
}

/** The first entries of a run's history. */
export function recordCreation(change: RunChange, counts: Progress): void {
  const { id: run_id, requestId: request_id } = change.run;
  if (request_id !== null) {
    change.recordAndPublish(runEvents.requested, { type: 'run.requested', payload: { request_id, run_id } });
  }
  const payload = { from: null, to: change.status, counts };
  change.recordAndPublish(runEvents.stateChanged, { type: 'run.state_changed', payload });
}
