import { describe, expect, test } from '@jest/globals';
import { findPriceRow } from './price-rows.js';
import { modelAlias, providerOfModel } from './providers.js';

describe('providers', () => {
  test.each([
    ['claude-sonnet-4-5', 'anthropic'],
    ['gpt-5', 'openai'],
    ['o1', 'openai'],
    ['o3-mini', 'openai'],
    ['o4-mini', 'openai'],
    ['gemini-2.5-pro', 'google'],
    ['grok-4', 'xai'],
    ['mistral-large', 'mistral'],
    ['meta-llama/llama-3-70b', 'openrouter'],
  ])('the model %s belongs to the provider %s', (model, provider) =>
    expect(providerOfModel(model)).toBe(provider),
  );

  test.each(['llama3', 'claude', 'o2', 'gpt5', '', 'alias:judge', 'alias:vendor/model'])(
    'no provider is known for %j',
    (model) => expect(providerOfModel(model)).toBeUndefined(),
  );

  test('an alias is a name of the workspace, not a model', () => {
    expect(modelAlias('alias:judge')).toBe('judge');
    expect(modelAlias('claude-sonnet-4-5')).toBeUndefined();
  });
});

describe('price rows', () => {
  const row = (provider_key: string, provider_model_id: string) => ({ provider_key, provider_model_id });

  test('the exact id wins over the one without its date', () => {
    const rows = [row('openai', 'gpt-5'), row('openai', 'gpt-5-2025-08-07')];
    expect(findPriceRow(rows, { provider: 'openai', id: 'gpt-5-2025-08-07' })).toBe(rows[1]);
    expect(findPriceRow(rows, { provider: 'openai', id: 'gpt-5-2025-09-01' })).toBe(rows[0]);
    expect(findPriceRow(rows, { provider: 'openai', id: 'gpt-5-20250901' })).toBe(rows[0]);
  });

  test('only a trailing date is removed from a model id, and only from the requested id', () => {
    const rows = [row('anthropic', 'claude-sonnet-4-5-20250929')];
    expect(findPriceRow(rows, { provider: 'anthropic', id: 'claude-sonnet-4-5' })).toBeUndefined();
    expect(
      findPriceRow(rows, { provider: 'anthropic', id: 'claude-sonnet-4-5-20250929-v2' }),
    ).toBeUndefined();
  });

  test('a row of another provider prices nothing', () => {
    expect(findPriceRow([row('openrouter', 'gpt-5')], { provider: 'openai', id: 'gpt-5' })).toBeUndefined();
  });

  test('the provider google may be written gemini', () => {
    const rows = [row('gemini', 'gemini-2.5-pro')];
    expect(findPriceRow(rows, { provider: 'google', id: 'gemini-2.5-pro' })).toBe(rows[0]);
  });
});
