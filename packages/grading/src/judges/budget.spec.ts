import { describe, expect, test } from '@jest/globals';
import { JudgeBudget, sharedCharge, worstCase } from './budget.js';

describe('a judge budget', () => {
  test('parallel calls cannot overrun a limit together', () => {
    const budget = new JudgeBudget({ max_tokens: 1_000, max_calls_usd: 0 });
    expect(budget.reserve('a', { tokens: 600, usd: 0 })).toBe(true);
    expect(budget.reserve('b', { tokens: 600, usd: 0 })).toBe(false);
    budget.settle('a', { tokens: 100, usd: 0 });
    expect(budget.reserve('b', { tokens: 600, usd: 0 })).toBe(true);
  });

  test('a refused call settles to nothing', () => {
    const budget = new JudgeBudget({ max_tokens: 0, max_calls_usd: 0.5 });
    expect(budget.reserve('a', { tokens: 1, usd: 0.6 })).toBe(false);
    budget.settle('a', { tokens: 1, usd: 0.6 });
    expect(budget.spent).toEqual({ tokens: 0, usd: 0 });
  });

  test('the worst case counts bytes, not characters, and a full reply', () => {
    const price = {
      provider_key: 'p',
      provider_model_id: 'm',
      input_cost_per_million_tokens: 1_000_000,
      output_cost_per_million_tokens: 0,
    };
    expect(worstCase([{ role: 'user', content: 'ééé' }], price)).toEqual({ tokens: 2 + 4_096, usd: 2 });
  });

  test('a ranking is charged to the attempts that it ranks, in equal parts', () => {
    expect(sharedCharge({ tokens: 90, usd: 0.3 }, 3)).toEqual({ tokens: 30, usd: 0.3 / 3 });
  });
});
