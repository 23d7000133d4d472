export const ATTEMPT_STATES = [
  'queued',
  'preparing',
  'running',
  'parked',
  'settling',
  'verifying',
  'finished',
  'skipped',
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/**
 * The legal transitions of an attempt. Back to `queued` is a redelivery; from `finished` it is a retry that a user
 * requested. `skipped` is the end of an attempt that was never needed: its race was decided, or its budget was used up.
 */
export const ATTEMPT_MOVES: Record<AttemptState, readonly AttemptState[]> = {
  queued: ['preparing', 'finished', 'skipped'],
  preparing: ['running', 'settling', 'verifying', 'queued', 'finished'],
  running: ['parked', 'settling', 'verifying', 'queued', 'finished'],
  parked: ['running', 'settling', 'queued', 'finished'],
  settling: ['verifying', 'queued', 'finished'],
  verifying: ['queued', 'finished'],
  finished: ['queued'],
  skipped: [],
};

export function canAttemptMove(from: AttemptState, to: AttemptState): boolean {
  return ATTEMPT_MOVES[from].includes(to);
}

/** True when an executor holds the attempt. */
export function isHeld(state: AttemptState): boolean {
  return state !== 'queued' && !isOver(state);
}

/** True when nothing more happens to the attempt by itself. */
export function isOver(state: AttemptState): boolean {
  return state === 'finished' || state === 'skipped';
}
