import type { PriceRow } from '@agentclash/challengepack';
import type { SlotOutcome } from '@agentclash/domain';
import type { ModelAccount, Sampling } from '../account.js';
import type { ModelClock } from '../clock.js';
import { planCallRetry } from '../failures/call-retry.js';
import type { ProviderError } from '../failures/failure.js';
import { failureSentence } from '../failures/sentences.js';
import { ModelCallError, type ModelReply, type ModelRequest } from '../model.js';
import type { OpenModelOptions } from '../open-model.js';
import { usageCost } from '../pricing.js';
import type { Slot } from '../rate/slots.js';
import { TryFailure } from './try-failure.js';
import { type TriedReply, tryOnce } from './try-once.js';

/** The dependencies and settings of a call, beside its request. */
export interface CallContext extends OpenModelOptions {
  account: ModelAccount;
  price: PriceRow | undefined;
  sampling: Sampling;
  clock: ModelClock;
  random: () => number;
  onFailure: (failure: ProviderError) => void;
}

/** One call, retried while its failures are retryable. Throws ModelCallError, or the signal's reason when cancelled. */
export async function callWithRetries(request: ModelRequest, context: CallContext): Promise<ModelReply> {
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
    const slot = await context.slots.acquire({
      accountId: account.id,
      runId: context.runId,
      signal: request.signal,
    });
    queuedMs += clock.monotonic() - requestedAt;
    const result = await tryWithSlot(slot, request, context);
    if (!(result instanceof TryFailure)) {
      const { ttftMs, ...reply } = result;
      return { ...reply, costUsd: usageCost(reply.usage, context.price), tries, timing: timing(ttftMs) };
    }
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
      throw new ModelCallError(failure, failureSentence(failure, account.providerKey), {
        tries,
        timing: timing(result.ttftMs),
        status: error.status,
        retryAfterSeconds,
      });
    }
    await clock.sleep(plan.delayMs, request.signal).catch((error: unknown) => {
      request.signal.throwIfAborted();
      throw error;
    });
  }
}

async function tryWithSlot(
  slot: Slot,
  request: ModelRequest,
  context: CallContext,
): Promise<TriedReply | TryFailure> {
  let outcome: SlotOutcome = 'failed';
  let retryAfterMs: number | undefined;
  try {
    const reply = await tryOnce(request, context);
    outcome = 'success';
    return reply;
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof TryFailure)) throw error;
    retryAfterMs = error.retryAfterMs;
    if (error.class === 'rate_limit' || error.error.status === 429) outcome = 'rate_limited';
    return error;
  } finally {
    await slot.release(outcome, retryAfterMs);
  }
}
