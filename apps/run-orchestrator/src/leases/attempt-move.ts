import type { AttemptState } from '@agentclash/contracts';
import type { AttemptIdentity } from '../attempts/attempts.store.js';
import type { RunChange } from '../runs/run-change.js';

/** Writes a held attempt's step into the run's history. */
export function recordMove(
  change: RunChange,
  attempt: AttemptIdentity,
  { from, to }: { from: AttemptState; to: AttemptState },
): void {
  const { id: attempt_id, runAgentId: run_agent_id, caseKey: case_key, repetition } = attempt;
  change.record({
    type: 'attempt.state_changed',
    payload: { from, to },
    attempt: { run_agent_id, attempt_id, case_key, repetition },
  });
}
