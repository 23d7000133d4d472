import { isRunOver } from '@agentclash/domain';
import { metrics } from '@agentclash/service-kit';
import type { RunChange } from '../state/run-change.js';

/** Counts what a change that was committed brought to its end. A retry takes back counts, but not what was counted. */
export function countEnds({ counts, patch }: RunChange): void {
  for (const { queued = 0, running = 0, byOutcome = {} } of [...counts.values()].flat()) {
    for (const [outcome, more] of Object.entries(byOutcome)) {
      if (more > 0) metrics.add('agentclash_attempts_ended_total', { outcome }, more);
    }
    if (running < 0) {
      const next = queued > 0 ? 'queued' : 'finished';
      metrics.add('agentclash_attempt_deliveries_ended_total', { next }, -running);
    }
  }
  const { status } = patch;
  if (status !== undefined && isRunOver(status)) metrics.add('agentclash_runs_ended_total', { status });
}
