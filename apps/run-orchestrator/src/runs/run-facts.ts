import { type Progress, type RunStatus, runEvents } from '@agentclash/contracts';
import type { RunChange } from './run-change.js';

/** Moves the run, in its history and on the bus. */
export function moveRun(change: RunChange, to: RunStatus, told: { counts: Progress; reason?: string }): void {
  const from = change.status;
  change.set({ status: to });
  const payload = {
    from,
    to,
    ...(told.reason !== undefined && { reason: told.reason }),
    counts: told.counts,
  };
  const number = change.record({ type: 'run.state_changed', payload });
  change.publish(runEvents.stateChanged, { ...factOf(change), ...payload }, `run:${change.run.id}:${number}`);
}

/** The first entry of a run's history. */
export function recordCreation(change: RunChange, counts: Progress): void {
  const payload = { from: null, to: change.status, counts };
  change.record({ type: 'run.state_changed', payload });
  change.publish(runEvents.stateChanged, { ...factOf(change), ...payload }, `run:${change.run.id}:1`);
}

/** What every fact about a run says on the bus. */
export function factOf({ run, now }: RunChange) {
  return { workspace_id: run.workspaceId, run_id: run.id, occurred_at: now.toISOString() };
}
