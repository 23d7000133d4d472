import type { AttemptState } from '@agentclash/domain';
import type { AttemptIdentity } from '../attempts/attempts.store.js';
import type { RunChange } from '../runs/run-change.js';

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
    payload: { ...move },
    attempt: { run_agent_id, attempt_id, case_key, repetition },
  });
}
