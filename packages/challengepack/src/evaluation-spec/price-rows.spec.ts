import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callCostMaxUsd, callCostUsd } from './price-rows.js';

const price = {
  provider_key: 'anthropic',
  provider_model_id: 'm',
  input_cost_per_million_tokens: 4,
  cached_input_cost_per_million_tokens: 0.4,
  cache_write_cost_per_million_tokens: 5,
  output_cost_per_million_tokens: 20,
  reasoning_cost_per_million_tokens: 30,
  long_prompt: {
    above_input_tokens: 200_000,
    input_cost_per_million_tokens: 8,
    output_cost_per_million_tokens: 40,
  },
};

describe('the cost of a call', () => {
  test('cached, written and other input have rates of their own, and so has reasoning', () => {
    const usage = { input: 1_000, cached_input: 600, cache_write: 300, output: 50, reasoning: 20 };
    const expected = (100 * 4 + 600 * 0.4 + 300 * 5 + 30 * 20 + 20 * 30) / 1_000_000;
    expect(callCostUsd(usage, price)).toBeCloseTo(expected, 12);
  });

  test('an absent rate is the rate of input or output', () => {
    const { input_cost_per_million_tokens, output_cost_per_million_tokens } = price;
    const plain = {
      provider_key: 'x',
      provider_model_id: 'm',
      input_cost_per_million_tokens,
      output_cost_per_million_tokens,
    };
    const usage = { input: 1_000, cached_input: 600, cache_write: 300, output: 50, reasoning: 20 };
    expect(callCostUsd(usage, plain)).toBeCloseTo((1_000 * 4 + 50 * 20) / 1_000_000, 12);
  });

  test('a long prompt has its rates for the whole call, and cached tokens make a prompt long, too', () => {
    expect(callCostUsd({ input: 200_000, output: 0 }, price)).toBeCloseTo(0.8, 12);
    expect(callCostUsd({ input: 200_001, output: 10 }, price)).toBeCloseTo(1.600_408, 12);
    const cached = { input: 300_000, cached_input: 299_000, output: 0 };
    expect(callCostUsd(cached, price)).toBeCloseTo(2.4, 12);
  });

  test('a call that reported no tokens has no cost, not the cost 0', () => {
    expect(callCostUsd({ input: null, output: null }, price)).toBeUndefined();
  });

  test('no call costs more than the bound of its tokens', () => {
    const count = fc.nat(400_000);
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        count,
        (input, output, cached_input, cache_write, reasoning) => {
          const cost = callCostUsd({ input, output, cached_input, cache_write, reasoning }, price) ?? 0;
          expect(cost).toBeLessThanOrEqual(callCostMaxUsd({ input, output }, price) * (1 + 1e-12));
          expect(cost).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
