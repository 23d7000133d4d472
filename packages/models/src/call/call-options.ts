import type { LanguageModelV3CallOptions, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { Sampling } from '../model/account.js';
import type { ModelRequest } from '../model/model.js';
import type { Provider } from '../providers/providers.js';
import { promptOf, toolsOf } from './prompt.js';

/** One request as the SDK's options. The SDK omits what a provider does not support. */
export function callOptions(
  request: ModelRequest,
  { provider, providerKey, model, sampling }: CallSetting,
): LanguageModelV3CallOptions {
  const { tools, outputSchema } = request;
  return {
    prompt: promptOf(request.messages, providerKey),
    ...(tools.length > 0 && { tools: toolsOf(tools) }),
    // Providers that enforce a response schema keep a model from calling tools.
    ...(outputSchema !== undefined &&
      tools.length === 0 && { responseFormat: { type: 'json' as const, schema: outputSchema } }),
    maxOutputTokens: sampling.max_output_tokens,
    temperature: sampling.temperature,
    topP: sampling.top_p,
    seed: sampling.seed,
    providerOptions: merged(
      provider.always,
      sampling.reasoning_effort === undefined
        ? undefined
        : provider.reasoning(sampling.reasoning_effort, model),
    ),
    includeRawChunks: provider.usage === 'google',
    abortSignal: request.signal,
  };
}

export interface CallSetting {
  provider: Provider;
  providerKey: string;
  model: string;
  sampling: Sampling;
}

function merged(...all: (SharedV3ProviderOptions | undefined)[]): SharedV3ProviderOptions {
  const options: SharedV3ProviderOptions = {};
  for (const one of all) {
    for (const [key, values] of Object.entries(one ?? {})) options[key] = { ...options[key], ...values };
  }
  return options;
}
