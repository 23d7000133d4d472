import { NO_USAGE, type ProviderKey } from '@agentclash/domain';
import type { ModelReply, ModelRequest } from '../model/model.js';
import { PROVIDERS, type Provider } from '../providers/providers.js';
import { usageOf } from '../providers/usage-of.js';
import { CallAttemptError } from './call-attempt-error.js';
import { providerEndpointOf } from './call-endpoint.js';
import { callOptions } from './call-options.js';
import type { CallContext } from './call-with-retries.js';
import { continuationOf } from './continuation.js';
import { keyOf } from './credential-key.js';
import { Exchange } from './exchange.js';
import { GatheredReply } from './gathered-reply.js';
import { readStream } from './read-stream.js';

/** The reply of one try; the caller adds price and waits. */
export type TriedReply = Omit<ModelReply, 'costUsd' | 'tries' | 'timing'> & { ttftMs: number | null };

/** One try, from credential to last fragment. Throws CallAttemptError; when cancelled, anything. */
export async function tryOnce(request: ModelRequest, context: CallContext): Promise<TriedReply> {
  const { account, clock, model: name, sampling } = context;
  const { providerKey, baseURL } = providerEndpointOf(account);
  const provider = PROVIDERS[providerKey];
  const credential = await account.openCredential?.(request.signal);
  const apiKey = keyOf(credential, { isNeeded: provider.needsCredential });
  const exchange = new Exchange({
    egress: context.egress,
    accountId: account.id,
    credential,
    timeoutMs: context.stepTimeoutMs,
    signal: request.signal,
    now: clock.now,
  });
  const sentAt = clock.monotonic();
  let ttftMs: number | null = null;
  const onFirstFragment = () => {
    ttftMs ??= clock.monotonic() - sentAt;
  };
  const reply = new GatheredReply({ onDelta: request.onDelta, onFirstFragment });
  try {
    const model = await provider.open({ model: name, baseURL, apiKey, fetch: exchange.fetch });
    const options = callOptions(request, { provider, providerKey, model: name, sampling });
    await readStream({ model, options, exchange }, reply);
    return { ...finished(reply, { provider, providerKey }), ttftMs };
  } catch (error) {
    if (error instanceof CallAttemptError) {
      error.ttftMs = ttftMs;
      error.redact(apiKey);
    }
    throw error;
  } finally {
    exchange.close();
  }
}

function finished(
  reply: GatheredReply,
  { provider, providerKey }: { provider: Provider; providerKey: ProviderKey },
): Omit<TriedReply, 'ttftMs'> {
  const { text, toolCalls, responseId, responseModel, finish } = reply;
  const continuation = continuationOf(reply.parts, providerKey);
  const content = {
    text,
    toolCalls,
    responseId,
    responseModel,
    ...(continuation !== undefined && { continuation }),
  };
  if (reply.isFull) return { ...content, finishReason: 'length', usage: NO_USAGE };
  // SDKs end every stream with a finish, but only a real one has the provider's reason.
  if (finish?.raw === undefined)
    throw new CallAttemptError({ reason: reply.hasBegun ? 'cut' : 'undecodable' });
  if (finish.reason === 'content_filter' && text === '' && toolCalls.length === 0) {
    throw new CallAttemptError({ status: 422, code: 'content_filter' });
  }
  return { ...content, finishReason: finish.reason, usage: usageOf(finish.usage, provider.usage) };
}
