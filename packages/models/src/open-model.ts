import { callCostMaxUsd } from '@agentclash/challengepack';
import { providerKeyOf } from '@agentclash/domain';
import type { OpenModelOptions } from './call/call-with-retries.js';
import type { ModelAccount } from './model/account.js';
import { systemModelClock } from './model/clock.js';
import type { ForwardingModel } from './model/model.js';
import { priceRowOf, usageCost } from './model/pricing.js';

// Reserved for a reply without a limit. It is sent to the provider where a budget must hold, else no limit is.
const ASSUMED_OUTPUT_TOKENS = 4_096;

/**
 * A model of an account. Nothing is loaded, opened or checked before the first call, whose failures are
 * ModelCallErrors: a missing credential is `auth`, an unknown provider `unsupported`.
 */
export function openModel(account: ModelAccount, options: OpenModelOptions): ForwardingModel {
  const providerKey = providerKeyOf(account.providerKey) ?? account.providerKey;
  const price = priceRowOf({ provider: providerKey, id: options.model }, [options.pricing, account.pricing]);
  const maxOutputTokens = options.sampling?.max_output_tokens ?? ASSUMED_OUTPUT_TOKENS;
  const context = {
    ...options,
    account,
    price,
    maxOutputTokens,
    sampling: { ...options.sampling, ...(options.budget && { max_output_tokens: maxOutputTokens }) },
    clock: options.clock ?? systemModelClock,
    random: options.random ?? Math.random,
    onFailure: options.onFailure ?? (() => {}),
  };
  return {
    maxPriceOf: (tokens) => (price === undefined ? null : callCostMaxUsd(tokens, price)),
    providerKey,
    name: options.model,
    maxOutputTokens,
    priceOf: (usage) => usageCost(usage, price),
    // Loaded on demand: the orchestrator uses limits and accounts only and never calls.
    call: async (request) => (await import('./call/call-with-retries.js')).callWithRetries(request, context),
    forward: async (request) => (await import('./call/forward.js')).forward(request, context),
  };
}
