import { type ProviderKey, providerKeyOf } from '@agentclash/domain';
import type { ModelReply, ModelRequest } from '../model.js';
import { BASE_URLS } from '../providers/addresses.js';
import { PROVIDERS, type Provider } from '../providers/providers.js';
import { NO_USAGE } from '../usage.js';
import type { CallMeans } from './call-in-tries.js';
import { callOptions } from './call-options.js';
import { continuationOf } from './continuation.js';
import { keyOf } from './credential-key.js';
import { Exchange } from './exchange.js';
import { GatheredReply } from './gathered-reply.js';
import { listen } from './listen.js';
import { TryFailure } from './try-failure.js';
import { usageOf } from './usage-of.js';

/** What one try brings back; price and waiting are its caller's affair. */
export type TriedReply = Omit<ModelReply, 'costUsd' | 'tries' | 'timing'> & { ttftMs: number | null };

/** A provider and where this account finds it. */
interface Place {
  provider: Provider;
  providerKey: ProviderKey;
  baseURL: string;
}

/** One try, from credential to last fragment. Throws TryFailure; when cancelled, anything. */
export async function tryOnce(request: ModelRequest, means: CallMeans): Promise<TriedReply> {
  const { account, clock, model: name, sampling } = means;
  const { provider, providerKey, baseURL } = placeOf(account);
  const credential = await account.openCredential?.(request.signal);
  const apiKey = keyOf(credential, { isNeeded: provider.needsCredential });
  const exchange = new Exchange({
    egress: means.egress,
    credential,
    timeoutMs: means.stepTimeoutMs,
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
    await listen({ model, options, exchange }, reply);
    return { ...finished(reply, { provider, providerKey }), ttftMs };
  } catch (error) {
    if (error instanceof TryFailure) {
      error.ttftMs = ttftMs;
      error.forget(apiKey);
    }
    throw error;
  } finally {
    exchange.close();
  }
}

function placeOf({ providerKey: key, baseUrl }: CallMeans['account']): Place {
  const providerKey = providerKeyOf(key);
  if (providerKey === undefined) throw new TryFailure({ fault: 'unknown_provider' });
  const provider = PROVIDERS[providerKey];
  const baseURL = baseUrl ?? BASE_URLS[providerKey];
  if (baseURL === undefined) throw new TryFailure({ fault: 'unsendable', message: 'there is no base_url' });
  return { provider, providerKey, baseURL };
}

function finished(
  reply: GatheredReply,
  { provider, providerKey }: Pick<Place, 'provider' | 'providerKey'>,
): Omit<TriedReply, 'ttftMs'> {
  const { text, toolCalls, responseId, responseModel, finish } = reply;
  const continuation = continuationOf(reply.parts, providerKey);
  const said = {
    text,
    toolCalls,
    responseId,
    responseModel,
    ...(continuation !== undefined && { continuation }),
  };
  if (reply.isFull) return { ...said, finishReason: 'length', usage: NO_USAGE };
  // SDKs end every stream with a finish, but only the provider can give it a reason.
  if (finish?.raw === undefined) throw new TryFailure({ fault: reply.hasBegun ? 'cut' : 'undecodable' });
  if (finish.reason === 'content_filter' && text === '' && toolCalls.length === 0) {
    throw new TryFailure({ status: 422, code: 'content_filter' });
  }
  return { ...said, finishReason: finish.reason, usage: usageOf(finish.usage, provider.usage) };
}
