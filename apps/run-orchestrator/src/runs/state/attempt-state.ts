import {
  type AttemptState,
  canAttemptMove,
  hasRunEnded,
  isHeld,
  type RunStatus,
  startsAttempts,
} from '@agentclash/domain';

/**
 * The state of a held attempt after its executor reported one. Reports may come late or twice, so a step back keeps the
 * state; only the orchestrator queues, parks, resumes and finishes.
 */
export function stateAfterReport(current: AttemptState, reported: AttemptState): AttemptState {
  const isParking = current === 'parked' || reported === 'parked';
  const isMove = !isParking && isHeld(reported) && canAttemptMove(current, reported);
  return isMove ? reported : current;
}

export type Refusal = 'run_over' | 'run_paused' | 'finished' | 'held' | 'waiting';

/** Why an executor may not have the attempt now; nothing when it may. */
export function claimRefusal(attempt: {
  state: AttemptState;
  runStatus: RunStatus;
  notBefore: Date | null;
  now: Date;
}): Refusal | undefined {
  const { state, runStatus, notBefore, now } = attempt;
  if (state === 'finished') return 'finished';
  if (isHeld(state)) return 'held';
  if (hasRunEnded(runStatus)) return 'run_over';
  if (!startsAttempts(runStatus)) return 'run_paused';
  if (notBefore !== null && notBefore > now) return 'waiting';
  return undefined;
}
