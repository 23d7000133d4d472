import type { AttemptState, RunStatus } from '@agentclash/contracts';
import { isRunOver, startsAttempts } from '../runs/run-state.js';

/** Where an attempt may go from each state. Back to `queued` is a redelivery, from `finished` one that a user asked for. */
export const ATTEMPT_MOVES: Record<AttemptState, readonly AttemptState[]> = {
  queued: ['preparing', 'finished'],
  preparing: ['running', 'settling', 'verifying', 'queued', 'finished'],
  running: ['parked', 'settling', 'verifying', 'queued', 'finished'],
  parked: ['running', 'settling', 'queued', 'finished'],
  settling: ['verifying', 'queued', 'finished'],
  verifying: ['queued', 'finished'],
  finished: ['queued'],
};

/** States in which an executor holds the attempt. */
const HELD_STATES = [
  'preparing',
  'running',
  'parked',
  'settling',
  'verifying',
] as const satisfies AttemptState[];

export function canAttemptMove(from: AttemptState, to: AttemptState): boolean {
  return ATTEMPT_MOVES[from].includes(to);
}

export function isHeld(state: AttemptState): boolean {
  return (HELD_STATES as readonly AttemptState[]).includes(state);
}

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
  if (isRunOver(runStatus)) return 'run_over';
  if (!startsAttempts(runStatus)) return 'run_paused';
  if (notBefore !== null && notBefore > now) return 'waiting';
  return undefined;
}
