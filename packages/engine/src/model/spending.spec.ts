import { describe, expect, test } from '@jest/globals';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { Spending } from './spending.js';

const UNLIMITED = { max_total_tokens: null, max_cost_usd: null };
const USAGE = { input: 100, output: 10, total: 110 };

describe('the cost of an attempt', () => {
  test('an attempt without a call has no cost, and one whose calls have prices has their sum', () => {
    const spending = new Spending(UNLIMITED);
    expect(spending.cost).toEqual({ cost_usd: null });
    spending.settle(USAGE, 0.25);
    spending.settle(USAGE, 0.5);
    expect(spending.cost).toEqual({ cost_usd: 0.75 });
  });

  test('one call without a price makes the whole cost unknown, and the known part is its lower bound', () => {
    const spending = new Spending(UNLIMITED);
    spending.settle(USAGE, 0.25);
    spending.settle(USAGE, null);
    spending.settle(USAGE, 0.5);
    expect(spending.cost).toEqual({ cost_usd: null, cost_at_least_usd: 0.75 });
    expect(spending.usage.total).toBe(330);
  });

  test('an attempt of which no call has a price has neither a cost nor a lower bound', () => {
    const spending = new Spending(UNLIMITED);
    spending.settle(USAGE, null);
    expect(spending.cost).toEqual({ cost_usd: null });
  });

  test('a reply that was served without a call costs 0, also when its model has no price', () => {
    const spending = new Spending(UNLIMITED);
    spending.settle(USAGE, null, true);
    expect(spending.cost).toEqual({ cost_usd: 0 });
  });

  test('an attempt that was parked still has an unknown cost when it is resumed', () => {
    const spending = new Spending(UNLIMITED, {
      usage: { ...NONE, ...USAGE },
      cost_usd: 0.25,
      unpriced_calls: 1,
    });
    spending.settle(USAGE, 0.5);
    expect(spending.cost).toEqual({ cost_usd: null, cost_at_least_usd: 0.75 });
  });

  test('the limit of cost counts the known part', () => {
    const spending = new Spending({ max_total_tokens: null, max_cost_usd: 1 });
    spending.settle(USAGE, 0.75);
    spending.settle(USAGE, null);
    expect(() => spending.reserve({ input: 1, output: 1, costUsd: 0.5 })).toThrow(AttemptEnded);
    expect(() => spending.reserve({ input: 1, output: 1, costUsd: 0.25 })).not.toThrow();
  });
});

const NONE = {
  input: null,
  output: null,
  total: null,
  cached_input: null,
  cache_write: null,
  reasoning: null,
};
