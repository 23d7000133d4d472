import { planRedelivery } from '@agentclash/attempt-plan';
import type { AttemptResult } from '@agentclash/contracts';
import {
  type AttemptState,
  canAttemptMove,
  hasRunEnded,
  isHeld,
  isOver,
  type RunStatus,
  startsAttempts,
} from '@agentclash/domain';

/** The state after a delivery that ended: the attempt is over, or is tried again not before a moment. */
export type AfterDelivery = { next: 'finished' } | { next: 'queued'; notBefore: Date };

/** Decides by execution 1.4; a run that is over and a halted lane get no further deliveries. `random` is in [0, 1). */
export function afterDelivery(end: {
  delivery: number;
  result: Pick<AttemptResult, 'outcome' | 'error' | 'retry_after_ms'>;
  runStatus: RunStatus;
  /** True when no more attempts of its lane are needed. */
  isHalted?: boolean;
  deliveriesMax?: number;
  now: Date;
  random: number;
}): AfterDelivery {
  const { delivery, result, runStatus, isHalted = false, deliveriesMax, now, random } = end;
  if (hasRunEnded(runStatus) || isHalted) return { next: 'finished' };
  const decision = planRedelivery({
    delivery,
    outcome: result.outcome,
    ...(result.error && { retryable: result.error.retryable }),
    ...(result.retry_after_ms !== null && { retryAfterSeconds: result.retry_after_ms / 1_000 }),
    ...(deliveriesMax !== undefined && { deliveriesMax }),
    random,
  });
  if (!decision.redeliver) return { next: 'finished' };
  return { next: 'queued', notBefore: new Date(now.getTime() + decision.delaySeconds * 1_000) };
}

/** The error of a delivery whose executor stopped renewing its lease. */
export const WORKER_LOST = 'worker_lost';

/** The result of a delivery that its executor did not end itself. */
export function interruptedResult(why: {
  outcome: 'infra_error' | 'cancelled';
  code: string;
  message: string;
  lastSequence: number;
}): AttemptResult {
  const { outcome, code, message, lastSequence } = why;
  return {
    outcome,
    limit_kind: null,
    finished_by: 'none',
    error: outcome === 'cancelled' ? null : { code, message, retryable: true },
    retry_after_ms: null,
    last_sequence: lastSequence,
    final_output_bytes: null,
    tool_call_count: 0,
    usage: null,
    cost_usd: null,
    latency_ms: null,
    snapshot: null,
  };
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

export type ClaimConflict = 'run_over' | 'run_paused' | 'finished' | 'held' | 'waiting';

/** Why an executor may not have the attempt now; nothing when it may. */
export function claimConflict(attempt: {
  state: AttemptState;
  runStatus: RunStatus;
  notBefore: Date | null;
  now: Date;
}): ClaimConflict | undefined {
  const { state, runStatus, notBefore, now } = attempt;
  if (isOver(state)) return 'finished';
  if (isHeld(state)) return 'held';
  if (hasRunEnded(runStatus)) return 'run_over';
  if (!startsAttempts(runStatus)) return 'run_paused';
  if (notBefore !== null && notBefore > now) return 'waiting';
  return undefined;
}
