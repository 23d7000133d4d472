import type { ModelAlias, ProviderAccount } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { connectionOf, ModelCatalog, withPrice } from './model-catalog.js';

const at = new Date(0).toISOString();
const account = (name: string, provider_key: ProviderAccount['provider_key']): ProviderAccount => ({
  id: `id-${name}`,
  name,
  provider_key,
  credential_reference: `workspace-secret://${name.toUpperCase()}`,
  created_at: at,
  updated_at: at,
});
const alias = (name: string, provider_account_id: string, model: string): ModelAlias => ({
  id: `alias-${name}`,
  name,
  provider_account_id,
  model,
  created_at: at,
  updated_at: at,
});
const row = (provider_key: string, provider_model_id: string, rate: number) => ({
  provider_key,
  provider_model_id,
  input_cost_per_million_tokens: rate,
  output_cost_per_million_tokens: rate,
});

describe('a model that a pack names', () => {
  test('a model is called at the only account of its provider', () => {
    const catalog = new ModelCatalog([account('a', 'anthropic'), account('o', 'openai')], []);
    expect(catalog.ofPack('claude-sonnet-4-5')).toMatchObject({
      provider_account_id: 'id-a',
      provider_key: 'anthropic',
      model: 'claude-sonnet-4-5',
      credential_reference: 'workspace-secret://A',
    });
    expect(catalog.ofPack('gemini-3')).toBeUndefined();
  });

  test('a model with several accounts is called at the one named default, and else at none', () => {
    const two = [account('a', 'openai'), account('b', 'openai')];
    expect(new ModelCatalog(two, []).ofPack('gpt-5')).toBeUndefined();
    const three = new ModelCatalog([...two, account('default', 'openai')], []);
    expect(three.ofPack('gpt-5')?.provider_account_id).toBe('id-default');
  });

  test('a model behind alias: is resolved by the alias, whatever its provider', () => {
    const catalog = new ModelCatalog([account('l', 'openai_compatible')], [alias('judge', 'id-l', 'qwen3')]);
    expect(catalog.ofPack('alias:judge')).toMatchObject({ provider_account_id: 'id-l', model: 'qwen3' });
    expect(catalog.ofPack('alias:none')).toBeUndefined();
    expect(catalog.ofPack('judge')).toBeUndefined();
  });
});

describe('the price of a model', () => {
  const model = {
    provider_key: 'google',
    model: 'gemini-3-2026-01-01',
    pricing: { models: [row('google', 'gemini-3-2026-01-01', 2), row('google', 'other', 9)] },
  };

  test('the price of the pack precedes that of the account, and nothing else of either is kept', () => {
    const pack = { models: [row('gemini', 'gemini-3', 1), row('openai', 'gemini-3', 7)] };
    expect(withPrice(model, pack).pricing).toEqual({
      models: [row('gemini', 'gemini-3', 1)],
      source: 'pack',
    });
    expect(withPrice(model, { models: [] }).pricing).toEqual({ models: [row('google', model.model, 2)] });
  });

  test('a run pins the price of the account, else the list price with its day', () => {
    const priced = { ...account('o', 'openai'), pricing: { models: [row('openai', 'gpt-5', 2)] } };
    const catalog = new ModelCatalog([priced], []);
    expect(catalog.ofAccount('id-o', 'gpt-5')?.pricing).toEqual({
      models: [row('openai', 'gpt-5', 2)],
      source: 'account',
    });
    const listed = catalog.ofAccount('id-o', 'gpt-5-mini-2025-08-07')?.pricing;
    expect(listed).toMatchObject({ models: [{ provider_model_id: 'gpt-5-mini' }], source: 'list' });
    expect(listed?.as_of).toEqual(expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/));
    const pinned = { provider_key: 'openai', model: 'gpt-5-mini-2025-08-07', pricing: listed };
    expect(withPrice(pinned, { models: [] }).pricing).toEqual(listed);
  });

  test('a model behind a base URL has no list price unless its account sets list_prices', () => {
    const behind = { ...account('o', 'openai'), base_url: 'https://proxy.test/v1' };
    expect(new ModelCatalog([behind], []).ofAccount('id-o', 'gpt-5')).not.toHaveProperty('pricing');
    const proxied = new ModelCatalog([{ ...behind, list_prices: true }], []);
    expect(proxied.ofAccount('id-o', 'gpt-5')?.pricing?.source).toBe('list');
  });

  test('a price that a run pinned is kept as it is, whatever the list has now', () => {
    const pricing = { models: [row('openai', 'gpt-5', 99)], source: 'list' as const, as_of: '2024-01-01' };
    const pinned = { provider_key: 'openai', model: 'gpt-5', pricing };
    expect(withPrice(pinned, { models: [] }).pricing).toEqual(pricing);
    expect(withPrice({ provider_key: 'openai', model: 'gpt-5' }, { models: [] })).not.toHaveProperty(
      'pricing',
    );
  });

  test('a price is absent when neither pack nor account has one', () => {
    expect(withPrice({ ...model, model: 'unknown' }, { models: [] })).not.toHaveProperty('pricing');
  });
});

test('a connection holds nothing of the instructions of its agent', () => {
  const agent = {
    provider_key: 'xai',
    model: 'grok-4',
    policy_spec: { role: 'secret role' },
    sampling: { seed: 1 },
  };
  expect(connectionOf(agent)).toEqual({ provider_key: 'xai', model: 'grok-4' });
});
