import type { SlotOutcome } from '@agentclash/domain';
import { ForwardError, type ForwardedReply, type ForwardRequest } from '../model/model.js';
import { isCredentialNeeded } from '../providers/providers.js';
import { amountOf, boundOf, type CallAmount, UNUSED } from '../rate/budget.js';
import { CallAttemptError } from './call-attempt-error.js';
import { providerEndpointOf } from './call-endpoint.js';
import type { CallContext, Held } from './call-with-retries.js';
import { keyOf } from './credential-key.js';
import { Exchange } from './exchange.js';
import { slotOutcomeOf, withRetries } from './with-retries.js';
import { headersWithoutKey, withoutKey } from './without-key.js';

/**
 * Sends a request of a program to the account's provider and returns the provider's reply while it streams. Failures
 * before the first byte are retried like those of our own calls. The slot and the part of the budget are held until
 * `close`. Throws ForwardError, BudgetExhausted, or the signal's reason when cancelled.
 */
export async function forward(request: ForwardRequest, context: CallContext): Promise<ForwardedReply> {
  const { signal, beginWait, onFailedTry, tokensMax } = request;
  const { result, tries, timing } = await withRetries(
    { signal, beginWait, onFailedTry, ...(tokensMax && { bound: boundOf(tokensMax, context.price) }) },
    context,
    (held) => tryHolding(held, request, context),
    (final, { error }) => new ForwardError(final, error.message, error.code),
  );
  return { ...result, tries, timing };
}

type Forwarded = Omit<ForwardedReply, 'tries' | 'timing'>;

async function tryHolding(
  held: Held,
  request: ForwardRequest,
  context: CallContext,
): Promise<Forwarded | CallAttemptError> {
  let outcome: SlotOutcome | undefined = 'failed';
  let retryAfterMs: number | undefined;
  let used: CallAmount | null = null;
  try {
    const forwarded = await tryOnce(held, request, context);
    outcome = undefined;
    return forwarded;
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof CallAttemptError)) throw error;
    retryAfterMs = error.retryAfterMs;
    outcome = slotOutcomeOf(error);
    if (error.isFree) used = UNUSED;
    return error;
  } finally {
    // A reply keeps both until it has been read.
    if (outcome !== undefined) {
      await held.slot.release(outcome, retryAfterMs);
      await held.reservation?.settle(used);
    }
  }
}

async function tryOnce(
  { slot, reservation }: Held,
  request: ForwardRequest,
  context: CallContext,
): Promise<Forwarded> {
  const { account, clock } = context;
  const { providerKey, baseURL } = providerEndpointOf(account);
  const credential = await account.openCredential?.(request.signal);
  const key = keyOf(credential, { isNeeded: isCredentialNeeded(providerKey) });
  const exchange = new Exchange({
    egress: context.egress,
    accountId: account.id,
    credential,
    timeoutMs: context.stepTimeoutMs,
    signal: request.signal,
    now: clock.now,
  });
  const sentAt = clock.monotonic();
  try {
    const { status, headers, body } = await exchange.post(`${baseURL.replace(/\/+$/, '')}${request.path}`, {
      headers: { ...request.headers, ...(key !== '' && request.credential(key)) },
      body: request.body,
    });
    let isClosed = false;
    return {
      status,
      // A provider could echo the key.
      headers: headersWithoutKey(headers, key),
      body: key === '' ? body : withoutKey(body, key),
      ttftMs: clock.monotonic() - sentAt,
      async close(outcome, usage) {
        if (isClosed) return;
        isClosed = true;
        exchange.close();
        await slot.release(outcome);
        await reservation?.settle(usage ? amountOf(usage, context.price) : null);
      },
    };
  } catch (error) {
    exchange.close();
    const failure = exchange.failure ?? error;
    if (failure instanceof CallAttemptError) failure.redact(key);
    throw failure;
  }
}
