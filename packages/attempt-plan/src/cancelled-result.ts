import type { Outcome } from '@agentclash/domain';

/** What every record of an ended delivery has. */
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
