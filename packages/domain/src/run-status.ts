export const RUN_STATUSES = [
  'queued',
  'running',
  'paused',
  'scoring',
  'completed',
  'failed',
  'cancelled',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The legal transitions of a run (execution 1.2). Back to `running` is a retry of attempts. */
export const RUN_MOVES: Record<RunStatus, readonly RunStatus[]> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['paused', 'scoring', 'failed', 'cancelled'],
  paused: ['running', 'scoring', 'failed', 'cancelled'],
  scoring: ['running', 'completed', 'failed', 'cancelled'],
  completed: ['running'],
  failed: ['running'],
  cancelled: [],
};

export function canRunMove(from: RunStatus, to: RunStatus): boolean {
  return RUN_MOVES[from].includes(to);
}

const END_STATUSES: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];

/** True when the run has ended: only a retry changes its status now, and nothing that of a cancelled one. */
export function hasRunEnded(status: RunStatus): boolean {
  return END_STATUSES.includes(status);
}

/** True when attempts of the run can be retried or scored again: it has ended and was not cancelled. */
export function canRepeat(status: RunStatus): boolean {
  return hasRunEnded(status) && canRunMove(status, 'running');
}

/** Statuses of a run whose ranking was requested or exists. */
export const RANKED_STATUSES = ['scoring', 'completed', 'failed'] as const satisfies readonly RunStatus[];

/** True when a scorecard that is replaced now may be missing in the run's ranking. */
export function isRanked(status: RunStatus): boolean {
  return (RANKED_STATUSES as readonly RunStatus[]).includes(status);
}

/** True when attempts of the run may be dispatched. */
export function startsAttempts(status: RunStatus): boolean {
  return status === 'queued' || status === 'running';
}

/** The final status of a scored run: without a usable scorecard there is no result. */
export function endOfScoring(usable: number): 'completed' | 'failed' {
  return usable > 0 ? 'completed' : 'failed';
}

/** The states of a scorecard and of a ranking. */
export const SCORING_STATES = ['pending', 'ready', 'failed'] as const;
export type ScoringState = (typeof SCORING_STATES)[number];
