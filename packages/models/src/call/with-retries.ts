import type { CallTiming } from '@agentclash/domain';
import { planCallRetry } from '../failures/call-retry.js';
import { failureSentence } from '../failures/sentences.js';
import { ModelCallError } from '../model/model.js';
import type { Slot } from '../rate/slots.js';
import { CallAttemptError } from './call-attempt-error.js';
import type { CallContext } from './call-with-retries.js';

export interface Retried<T> {
  result: T;
  tries: number;
  /** The timing of the call as of now. */
  timing: (ttftMs: number | null) => CallTiming;
}

/**
 * Tries one call, each time in a slot of the account, until a try succeeds or its failure is final. `tryWithSlot`
 * releases the slot. Throws what `errorOf` makes of a ModelCallError, or the signal's reason when cancelled.
 */
export async function withRetries<T>(
  signal: AbortSignal,
  context: CallContext,
  tryWithSlot: (slot: Slot) => Promise<T | CallAttemptError>,
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
    const slot = await context.slots.acquire({ accountId: account.id, runId: context.runId, signal });
    queuedMs += clock.monotonic() - requestedAt;
    const result = await tryWithSlot(slot);
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
    if (!plan.retry) {
      const final = new ModelCallError(
        failure,
        failureSentence(failure, { providerKey: account.providerKey, binding: error.binding }),
        {
          tries,
          timing: timing(result.ttftMs),
          status: error.status,
          retryAfterSeconds,
        },
      );
      throw errorOf(final, result);
    }
    await clock.sleep(plan.delayMs, signal).catch((reason: unknown) => {
      signal.throwIfAborted();
      throw reason;
    });
  }
}

/** The outcome that a failed try reports to the account's slots. */
export function slotOutcomeOf({ class: failure, error }: CallAttemptError): 'rate_limited' | 'failed' {
  return failure === 'rate_limit' || error.status === 429 ? 'rate_limited' : 'failed';
}
