import { callCostUsd } from '@agentclash/challengepack';
import type { JsonObject, WireKey } from '@agentclash/domain';
import { readModelReply } from '@agentclash/model-broker';
import { expect, test } from '@jest/globals';

/** Every rate differs, so that tokens of one kind that are counted as another change the cost. */
const PRICE = {
  provider_key: 'any',
  provider_model_id: 'm',
  input_cost_per_million_tokens: 1_000,
  cached_input_cost_per_million_tokens: 10,
  cache_write_cost_per_million_tokens: 3_000,
  output_cost_per_million_tokens: 70_000,
  reasoning_cost_per_million_tokens: 500_000,
};

/** Of each wire, the usage of a call with 1,000 plain input tokens, 150 cached ones, 14 of output and 20 of reasoning. */
const USAGES: [wire: WireKey, body: JsonObject, written: number][] = [
  [
    'anthropic',
    {
      usage: {
        input_tokens: 1_000,
        cache_read_input_tokens: 150,
        cache_creation_input_tokens: 50,
        output_tokens: 34,
        output_tokens_details: { thinking_tokens: 20 },
      },
    },
    50,
  ],
  [
    'chat',
    {
      usage: {
        prompt_tokens: 1_200,
        completion_tokens: 34,
        total_tokens: 1_234,
        prompt_tokens_details: { cached_tokens: 150, cache_write_tokens: 50 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    },
    50,
  ],
  [
    'responses',
    {
      usage: {
        input_tokens: 1_200,
        output_tokens: 34,
        total_tokens: 1_234,
        input_tokens_details: { cached_tokens: 150, cache_write_tokens: 50 },
        output_tokens_details: { reasoning_tokens: 20 },
      },
    },
    50,
  ],
  [
    'google',
    {
      usageMetadata: {
        promptTokenCount: 1_150,
        cachedContentTokenCount: 150,
        candidatesTokenCount: 14,
        thoughtsTokenCount: 20,
        totalTokenCount: 1_184,
      },
    },
    0,
  ],
];

test.each(USAGES)(
  'a call of the wire %s costs its plain, cached, output and reasoning tokens, each at its own rate and once',
  (wire, body, written) => {
    const { usage } = readModelReply({ wire, isStream: false, reply: Buffer.from(JSON.stringify(body)) });
    const millionths = 1_000 * 1_000 + 150 * 10 + written * 3_000 + 14 * 70_000 + 20 * 500_000;
    expect(callCostUsd(usage, PRICE)).toBeCloseTo(millionths / 1_000_000, 9);
  },
);
