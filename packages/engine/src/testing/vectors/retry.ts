import { planRedelivery } from '@agentclash/attempt-plan';
import type { Outcome } from '@agentclash/domain';
import {
  classifyProviderError,
  PROVIDER_FAILURES,
  type ProviderError,
  type ProviderFailureClass,
  planCallRetry,
} from '@agentclash/models';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { outcomeOf } from '../../outcome/attempt-end.js';

const ALMOST_ONE = 1 - 2 ** -40;

/** The vectors name the reason of a failure without a status `fault`. */
type VectorError = Omit<ProviderError, 'reason'> & { fault?: ProviderError['reason'] };

interface RetryVector {
  id: string;
  error?: VectorError;
  call?: { class: ProviderFailureClass; failed_try: number; retry_after_seconds?: number };
  attempt?: { delivery: number; outcome: Outcome; retryable?: boolean; retry_after_seconds?: number };
  expect: Record<string, unknown>;
}

function classified({ fault: reason, ...error }: VectorError) {
  const failure = classifyProviderError({ ...error, ...(reason !== undefined && { reason }) });
  const outcome = outcomeOf({ because: 'provider', class: failure });
  return {
    class: failure,
    retryable: PROVIDER_FAILURES[failure].retryable,
    outcome: outcome.outcome,
    ...(outcome.limit && { limit: outcome.limit }),
  };
}

function callRetries({ class: failure, failed_try, retry_after_seconds }: NonNullable<RetryVector['call']>) {
  const [soonest, latest] = [0, ALMOST_ONE].map((random) =>
    planCallRetry({ class: failure, failedTry: failed_try, retryAfterSeconds: retry_after_seconds, random }),
  );
  if (!soonest?.retry || !latest?.retry) return { retry: false };
  return {
    retry: true,
    delay_ms_min: Math.round(soonest.delayMs),
    delay_ms_max: Math.round(latest.delayMs),
  };
}

function redeliveries({ retry_after_seconds, ...attempt }: NonNullable<RetryVector['attempt']>) {
  const [soonest, latest] = [0, ALMOST_ONE].map((random) =>
    planRedelivery({ ...attempt, retryAfterSeconds: retry_after_seconds, random }),
  );
  if (!soonest?.redeliver || !latest?.redeliver) return { redeliver: false };
  return {
    redeliver: true,
    delay_s_min: Math.round(soonest.delaySeconds),
    delay_s_max: Math.round(latest.delaySeconds),
  };
}

export const driver: VectorDriver<RetryVector> = {
  run(vector) {
    if (vector.error) expect(classified(vector.error)).toEqual(vector.expect);
    else if (vector.call) expect(callRetries(vector.call)).toEqual(vector.expect);
    else if (vector.attempt) expect(redeliveries(vector.attempt)).toEqual(vector.expect);
    else throw new Error(`${vector.id} checks nothing`);
  },
};
