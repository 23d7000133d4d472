import { type Progress, runEvents } from '@agentclash/contracts';
import type { RunStatus } from '@agentclash/domain';
import type { RunChange } from './run-change.js';

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
