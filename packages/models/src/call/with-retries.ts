import type { CallTiming } from '@agentclash/domain';
import { planCallRetry } from '../failures/call-retry.js';
import { failureSentence } from '../failures/sentences.js';
import { type BeginWait, ModelCallError, type ModelRequest } from '../model/model.js';
import { type CallAmount, UNUSED } from '../rate/budget.js';
import { CallAttemptError } from './call-attempt-error.js';
import type { CallContext, Held } from './call-with-retries.js';

type RetriedRequest = Pick<ModelRequest, 'signal' | 'beginWait' | 'onFailedTry'> & {
  bound?: CallAmount;
};

export interface Retried<T> {
  result: T;
  tries: number;
  /** The timing of the call as of now. */
  timing: (ttftMs: number | null) => CallTiming;
}

/**
 * Tries one call, each time in a slot of the account and with a part of the budget, until a try succeeds or its failure
 * is final. `tryHolding` releases both. Throws what `errorOf` makes of a ModelCallError, BudgetExhausted, or the signal's
 * reason when cancelled.
 */
export async function withRetries<T>(
  { signal, beginWait, onFailedTry, bound }: RetriedRequest,
  context: CallContext,
  tryHolding: (held: Held) => Promise<T | CallAttemptError>,
  errorOf: (final: ModelCallError, last: CallAttemptError) => ModelCallError = (final) => final,
): Promise<Retried<T>> {
  const { clock, account } = context;
  const startedAt = clock.monotonic();
  let queuedMs = 0;
  const timing = (ttftMs: number | null) => ({
    queued_ms: Math.round(queuedMs),
    ttft_ms: ttftMs === null ? null : Math.round(ttftMs),
    total_ms: Math.round(clock.monotonic() - startedAt),
  });
  for (let tries = 1; ; tries++) {
    const requestedAt = clock.monotonic();
    const held = await waiting(beginWait, () => hold({ signal, bound }, context));
    queuedMs += clock.monotonic() - requestedAt;
    const result = await tryHolding(held);
    if (!(result instanceof CallAttemptError)) return { result, tries, timing };
    context.onFailure(result.error);
    const { class: failure, retryAfterMs, error } = result;
    const retryAfterSeconds = retryAfterMs === undefined ? undefined : retryAfterMs / 1_000;
    const plan = planCallRetry({
      class: failure,
      failedTry: tries,
      retryAfterSeconds,
      random: context.random(),
    });
    const message = failureSentence(failure, { providerKey: account.providerKey, binding: error.binding });
    if (!plan.retry) {
      const final = new ModelCallError(failure, message, {
        tries,
        timing: timing(result.ttftMs),
        status: error.status,
        retryAfterSeconds,
      });
      throw errorOf(final, result);
    }
    onFailedTry?.({ failure, message });
    const { delayMs } = plan;
    await waiting(beginWait, () => clock.sleep(delayMs, signal)).catch((reason: unknown) => {
      signal.throwIfAborted();
      throw reason;
    });
  }
}

/** The budget comes first: a call that waits for it keeps no slot from others. */
async function hold(
  { signal, bound }: { signal: AbortSignal; bound: CallAmount | undefined },
  { slots, budget, account, runId }: CallContext,
): Promise<Held> {
  const reservation = bound && (await budget?.reserve(bound, signal));
  try {
    return { slot: await slots.acquire({ accountId: account.id, runId, signal }), reservation };
  } catch (error) {
    await reservation?.settle(UNUSED);
    throw error;
  }
}

async function waiting<T>(beginWait: BeginWait | undefined, work: () => Promise<T>): Promise<T> {
  const end = beginWait?.();
  try {
    return await work();
  } finally {
    end?.();
  }
}

/** The outcome that a failed try reports to the account's slots. */
export function slotOutcomeOf({ class: failure, error }: CallAttemptError): 'rate_limited' | 'failed' {
  return failure === 'rate_limit' || error.status === 429 ? 'rate_limited' : 'failed';
}
