import type { PriceRow } from '@agentclash/challengepack';
import type { SlotOutcome } from '@agentclash/domain';
import type { ModelAccount, Sampling } from '../account.js';
import type { ModelClock } from '../clock.js';
import type { ProviderError } from '../failures/failure.js';
import type { ModelReply, ModelRequest } from '../model.js';
import type { OpenModelOptions } from '../open-model.js';
import { usageCost } from '../pricing.js';
import type { Slot } from '../rate/slots.js';
import { CallAttemptError } from './call-attempt-error.js';
import { type TriedReply, tryOnce } from './try-once.js';
import { slotOutcomeOf, withRetries } from './with-retries.js';

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
  const { result, tries, timing } = await withRetries(request.signal, context, (slot) =>
    tryWithSlot(slot, request, context),
  );
  const { ttftMs, ...reply } = result;
  return { ...reply, costUsd: usageCost(reply.usage, context.price), tries, timing: timing(ttftMs) };
}

async function tryWithSlot(
  slot: Slot,
  request: ModelRequest,
  context: CallContext,
): Promise<TriedReply | CallAttemptError> {
  let outcome: SlotOutcome = 'failed';
  let retryAfterMs: number | undefined;
  try {
    const reply = await tryOnce(request, context);
    outcome = 'success';
    return reply;
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof CallAttemptError)) throw error;
    retryAfterMs = error.retryAfterMs;
    outcome = slotOutcomeOf(error);
    return error;
  } finally {
    await slot.release(outcome, retryAfterMs);
  }
}
