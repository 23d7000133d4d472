import type { ModelConfig } from '@agentclash/attempt-plan';
import { NO_USAGE } from '@agentclash/domain';
import type { AttemptPorts } from '@agentclash/engine';

/** The model of simulated users. */
export const FIXED_USER: ModelConfig = { provider_key: 'fixed', model: 'fixed-user' };

type Model = ReturnType<NonNullable<AttemptPorts['openModel']>>;

/** In each turn of a simulated user, and of a person. */
export const USER_MESSAGE = 'Please continue.';

/** The user of a conversation whose user is simulated by a model: a fixed message in each turn. */
export function fixedUser(): Model {
  return {
    providerKey: FIXED_USER.provider_key,
    name: FIXED_USER.model,
    maxOutputTokens: 0,
    maxPriceOf: () => 0,
    priceOf: () => 0,
    call: async () => ({
      ...{ text: USER_MESSAGE, toolCalls: [], finishReason: 'stop', usage: NO_USAGE, costUsd: 0 },
      ...{
        responseModel: null,
        responseId: null,
        tries: 1,
        timing: { queued_ms: 0, ttft_ms: null, total_ms: 0 },
      },
    }),
  };
}
