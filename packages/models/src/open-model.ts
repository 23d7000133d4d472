import type { Pricing } from '@agentclash/challengepack';
import { providerKeyOf } from '@agentclash/domain';
import type { Egress } from '@agentclash/egress';
import type { ModelAccount, Sampling } from './account.js';
import { type ModelClock, systemModelClock } from './clock.js';
import type { ProviderError } from './failures/failure.js';
import type { ForwardingModel } from './model.js';
import { priceRowOf, usageCost } from './pricing.js';
import type { Slots } from './rate/slots.js';

export interface OpenModelOptions {
  /** The provider's name of the model. */
  model: string;
  runId: string;
  egress: Egress;
  slots: Slots;
  sampling?: Sampling;
  /** One try, stream included. */
  stepTimeoutMs: number;
  /** The pack's prices, which override the account's. */
  pricing?: Pricing;
  clock?: ModelClock;
  /** In [0, 1). */
  random?: () => number;
  /** Called with the provider's own message of every failed try, without the credential: for the log, never for users. */
  onFailure?: (failure: ProviderError) => void;
}

// Reserved for a reply without a limit; an unset limit is not sent to the provider.
const ASSUMED_OUTPUT_TOKENS = 4_096;

/**
 * A model of an account. Nothing is loaded, opened or checked before the first call, whose failures are
 * ModelCallErrors: a missing credential is `auth`, an unknown provider `unsupported`.
 */
export function openModel(account: ModelAccount, options: OpenModelOptions): ForwardingModel {
  const providerKey = providerKeyOf(account.providerKey) ?? account.providerKey;
  const price = priceRowOf({ provider: providerKey, id: options.model }, [options.pricing, account.pricing]);
  const context = {
    ...options,
    account,
    price,
    sampling: options.sampling ?? {},
    clock: options.clock ?? systemModelClock,
    random: options.random ?? Math.random,
    onFailure: options.onFailure ?? (() => {}),
  };
  return {
    providerKey,
    name: options.model,
    maxOutputTokens: options.sampling?.max_output_tokens ?? ASSUMED_OUTPUT_TOKENS,
    priceOf: (usage) => usageCost(usage, price),
    // Loaded on demand: the orchestrator uses limits and accounts only and never calls.
    call: async (request) => (await import('./call/call-with-retries.js')).callWithRetries(request, context),
    forward: async (request) => (await import('./call/forward.js')).forward(request, context),
  };
}
