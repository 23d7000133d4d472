import type { PriceRow, Pricing } from '@agentclash/challengepack';
import type { SlotOutcome } from '@agentclash/domain';
import type { Egress } from '@agentclash/egress';
import type { ProviderError } from '../failures/failure.js';
import type { ModelAccount, Sampling } from '../model/account.js';
import type { ModelClock } from '../model/clock.js';
import type { ModelReply, ModelRequest } from '../model/model.js';
import { usageCost } from '../model/pricing.js';
import {
  amountOf,
  type BudgetReservation,
  boundOf,
  type CallAmount,
  type CallBudget,
  tokensMaxOf,
  UNUSED,
} from '../rate/budget.js';
import type { Slot, Slots } from '../rate/slots.js';
import { CallAttemptError } from './call-attempt-error.js';
import { type TriedReply, tryOnce } from './try-once.js';
import { slotOutcomeOf, withRetries } from './with-retries.js';

export interface OpenModelOptions {
  /** The provider's name of the model. */
  model: string;
  runId: string;
  egress: Egress;
  slots: Slots;
  sampling?: Sampling;
  /** One try, stream included. */
  stepTimeoutMs: number;
  /** Every try is reserved in it; absent: there is none. A reply without a limit of its own then has one. */
  budget?: CallBudget;
  /** The pack's prices, which override the account's. */
  pricing?: Pricing;
  clock?: ModelClock;
  /** In [0, 1). */
  random?: () => number;
  /** Called with the provider's own message of every failed try, without the credential: for the log, never for users. */
  onFailure?: (failure: ProviderError) => void;
}

/** The dependencies and settings of a call, beside its request. */
export interface CallContext extends OpenModelOptions {
  account: ModelAccount;
  price: PriceRow | undefined;
  /** Upper bound of the tokens of a reply; the provider is sent it where the sampling or a budget sets it. */
  maxOutputTokens: number;
  sampling: Sampling;
  clock: ModelClock;
  random: () => number;
  onFailure: (failure: ProviderError) => void;
}

/** One call, retried while its failures are retryable. Throws ModelCallError, or the signal's reason when cancelled. */
export async function callWithRetries(request: ModelRequest, context: CallContext): Promise<ModelReply> {
  const { messages, tools, outputSchema, signal, beginWait, onFailedTry } = request;
  const bound = () => {
    const input = tokensMaxOf(JSON.stringify([messages, tools, outputSchema]));
    return boundOf({ input, output: context.maxOutputTokens }, context.price);
  };
  const { result, tries, timing } = await withRetries(
    { signal, beginWait, onFailedTry, ...(context.budget && { bound: bound() }) },
    context,
    (held) => tryHolding(held, request, context),
  );
  const { ttftMs, ...reply } = result;
  return { ...reply, costUsd: usageCost(reply.usage, context.price), tries, timing: timing(ttftMs) };
}

/** The slot of a try, and its part of the budget. */
export interface Held {
  slot: Slot;
  reservation: BudgetReservation | undefined;
}

async function tryHolding(
  { slot, reservation }: Held,
  request: ModelRequest,
  context: CallContext,
): Promise<TriedReply | CallAttemptError> {
  let outcome: SlotOutcome = 'failed';
  let retryAfterMs: number | undefined;
  let used: CallAmount | null = null;
  try {
    const reply = await tryOnce(request, context);
    outcome = 'success';
    used = amountOf(reply.usage, context.price);
    return reply;
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof CallAttemptError)) throw error;
    retryAfterMs = error.retryAfterMs;
    outcome = slotOutcomeOf(error);
    if (error.isFree) used = UNUSED;
    return error;
  } finally {
    await slot.release(outcome, retryAfterMs);
    await reservation?.settle(used);
  }
}
