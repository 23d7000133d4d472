import type { RunStatus } from '@agentclash/contracts';

/** Where a run may go from each status (execution 1.2). */
export const RUN_MOVES: Record<RunStatus, readonly RunStatus[]> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['paused', 'scoring', 'failed', 'cancelled'],
  paused: ['running', 'scoring', 'failed', 'cancelled'],
  scoring: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export function canRunMove(from: RunStatus, to: RunStatus): boolean {
  return RUN_MOVES[from].includes(to);
}

/** Whether nothing can change the run's status any more. */
export function isRunOver(status: RunStatus): boolean {
  return RUN_MOVES[status].length === 0;
}

/** Whether attempts of the run may be handed out. */
export function startsAttempts(status: RunStatus): boolean {
  return status === 'queued' || status === 'running';
}

/** How a run ends once it is scored: with nothing graded there is no result. */
export function endOfScoring(graded: number): 'completed' | 'failed' {
  return graded > 0 ? 'completed' : 'failed';
}
