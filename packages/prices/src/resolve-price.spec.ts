import { describe, expect, test } from '@jest/globals';
import type { ProviderPrices } from './list-prices.js';
import { hasListPrices, resolvePrice } from './resolve-price.js';

const row = (provider_key: string, provider_model_id: string, rate: number) => ({
  provider_key,
  provider_model_id,
  input_cost_per_million_tokens: rate,
  output_cost_per_million_tokens: rate,
});
const LIST: ProviderPrices[] = [
  {
    provider_key: 'openai',
    as_of: '2026-01-31',
    source: 'https://openai.com/pricing',
    models: [row('openai', 'gpt-5', 3), row('openai', 'gpt-5-mini', 4), row('openai', 'gpt-5-2025-12-01', 5)],
  },
];
const openai = { provider_key: 'openai' };
const priced = (model: string, account: object = {}, pack?: { models: ReturnType<typeof row>[] }) =>
  resolvePrice({ account: { ...openai, ...account }, model, ...(pack && { pack }) }, LIST);

describe('the price of a model', () => {
  test('the pack precedes the account, and the account precedes the list', () => {
    const pack = { models: [row('openai', 'gpt-5', 1)] };
    const account = { pricing: { models: [row('openai', 'gpt-5', 2)] } };
    expect(priced('gpt-5', account, pack)).toEqual({ price: pack.models[0], source: 'pack' });
    expect(priced('gpt-5', account)).toEqual({ price: account.pricing.models[0], source: 'account' });
    expect(priced('gpt-5')).toEqual({ price: LIST[0]?.models[0], source: 'list', as_of: '2026-01-31' });
  });

  test('a price of 0 that an account sets is a price', () => {
    const account = { pricing: { models: [row('openai', 'gpt-5', 0)] } };
    expect(priced('gpt-5', account)?.price.input_cost_per_million_tokens).toBe(0);
  });

  test('an account that prices other models leaves a model to the list', () => {
    const account = { pricing: { models: [row('openai', 'gpt-5-mini', 2)] } };
    expect(priced('gpt-5', account)?.source).toBe('list');
  });

  test('a model with a date has the price of that id, else of the id without the date', () => {
    expect(priced('gpt-5-2025-12-01')?.price.input_cost_per_million_tokens).toBe(5);
    expect(priced('gpt-5-2026-03-01')?.price.input_cost_per_million_tokens).toBe(3);
    expect(priced('gpt-5-20260301')?.price.input_cost_per_million_tokens).toBe(3);
  });

  test.each([
    'gpt-5-pro',
    'gpt-5-latest',
    'gpt-5-0709',
    'gpt',
    'gpt-5-mini-high',
    'GPT-5',
    'gpt-5-2026-03-01-a',
  ])('the model %s has no price, though a listed id begins like it', (model) =>
    expect(priced(model)).toBeUndefined(),
  );

  test('a model has no price of another provider', () => {
    expect(resolvePrice({ account: { provider_key: 'openrouter' }, model: 'gpt-5' }, LIST)).toBeUndefined();
  });
});

describe('list prices behind a base URL', () => {
  test.each([
    ['at the address of the provider', 'https://api.openai.com/v1/', true],
    ['not at a regional endpoint of the provider', 'https://eu.api.openai.com/v1', false],
    ['not at a server of one’s own', 'http://127.0.0.1:11434/v1', false],
    ['not at an address that cannot be read', 'nowhere', false],
  ])('list prices hold %s', (_case, base_url, expected) => {
    expect(hasListPrices({ ...openai, base_url })).toBe(expected);
    expect(priced('gpt-5', { base_url })?.source).toBe(expected ? 'list' : undefined);
  });

  test('an account may set that list prices hold behind its base URL, or that they do not hold at all', () => {
    expect(priced('gpt-5', { base_url: 'https://proxy.test/v1', list_prices: true })?.source).toBe('list');
    expect(priced('gpt-5', { list_prices: false })).toBeUndefined();
  });

  test('an account of compatible servers never has list prices', () => {
    const account = {
      provider_key: 'openai_compatible',
      base_url: 'https://api.openai.com/v1',
      list_prices: true,
    };
    expect(hasListPrices(account)).toBe(false);
  });
});

test('the list of the release prices a dated model and no model with a longer id', () => {
  const anthropic = { provider_key: 'anthropic' };
  expect(resolvePrice({ account: anthropic, model: 'claude-sonnet-4-5-20250929' })).toMatchObject({
    price: { provider_model_id: 'claude-sonnet-4-5', input_cost_per_million_tokens: 3 },
    source: 'list',
  });
  expect(resolvePrice({ account: anthropic, model: 'claude-sonnet-4-5-thinking' })).toBeUndefined();
  expect(resolvePrice({ account: { provider_key: 'gemini' }, model: 'gemini-2.5-pro' })?.source).toBe('list');
});
