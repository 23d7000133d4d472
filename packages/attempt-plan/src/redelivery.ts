import { jitter, type Outcome } from '@agentclash/domain';

export const DELIVERIES_MAX = 3;
const BACKOFF_BASE_SECONDS = 10;
const BACKOFF_MAX_SECONDS = 120;
const HINT_MAX_SECONDS = 600;

export type Redelivery = { redeliver: true; delaySeconds: number } | { redeliver: false };

/**
 * The redelivery after an ended delivery, and its delay (execution 1.4). `random` is in [0, 1); `deliveriesMax` grows
 * with every retry that a user requests.
 */
export function planRedelivery(end: {
  delivery: number;
  outcome: Outcome;
  /** Absent: `infra_error` is, `provider_error` is not. */
  retryable?: boolean;
  retryAfterSeconds?: number;
  random: number;
  deliveriesMax?: number;
}): Redelivery {
  const mayRetry =
    (end.outcome === 'infra_error' && end.retryable !== false) ||
    (end.outcome === 'provider_error' && end.retryable === true);
  if (!mayRetry || end.delivery >= (end.deliveriesMax ?? DELIVERIES_MAX)) return { redeliver: false };
  const backoff =
    Math.min(BACKOFF_MAX_SECONDS, BACKOFF_BASE_SECONDS * 2 ** (end.delivery - 1)) * jitter(end.random);
  const hint = Math.min(HINT_MAX_SECONDS, end.retryAfterSeconds ?? 0);
  return { redeliver: true, delaySeconds: Math.max(backoff, hint) };
}

/** The common members of the results of deliveries. */
export interface DeliveryEnd {
  outcome: Outcome;
  limit_kind: string | null;
  finished_by: string;
  error: object | null;
  retry_after_ms: number | null;
  snapshot: object | null;
}

/** The same delivery, ended by the user's cancel: no error, and nothing of it is graded. */
export function cancelledResult<R extends DeliveryEnd>(result: R): R {
  return {
    ...result,
    outcome: 'cancelled',
    limit_kind: null,
    finished_by: 'none',
    error: null,
    retry_after_ms: null,
    snapshot: null,
  };
}
