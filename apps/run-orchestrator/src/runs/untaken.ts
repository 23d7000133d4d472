import type { Outcome } from '@agentclash/domain';
import type { CancelledAttempt } from '../attempts/attempts.store.js';
import type { RunChange } from './run-change.js';

/** Counts and records the end of an attempt that waited in line when it came. */
export function countUntaken(
  change: RunChange,
  attempt: CancelledAttempt,
  { outcome, reason }: { outcome: Outcome; reason: string },
): void {
  const { id: attempt_id, runAgentId: run_agent_id, caseKey: case_key, repetition, isScored } = attempt;
  change.count(run_agent_id, { queued: -1, scored: isScored ? 1 : 0, byOutcome: { [outcome]: 1 } });
  change.unfinished -= 1;
  change.unscored -= isScored ? 1 : 0;
  change.record({
    type: 'attempt.state_changed',
    payload: { from: 'queued', to: 'finished', reason },
    attempt: { run_agent_id, attempt_id, case_key, repetition },
  });
}
