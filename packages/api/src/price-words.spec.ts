import { expect, test } from '@jest/globals';
import { pricesInWords } from './price-words.js';

const price = {
  provider_key: 'openai',
  provider_model_id: 'gpt-5',
  input_cost_per_million_tokens: 1.25,
  output_cost_per_million_tokens: 10,
};
const model = { provider_key: 'openai', model: 'gpt-5' };

test('the prices of lanes are named once each, with where they come from, and an unknown one as unknown', () => {
  const listed = { ...model, source: 'list' as const, as_of: '2026-06-21', price };
  const lanes = [
    { prices: [listed, { ...model, source: 'account' as const, price }] },
    { prices: [listed, { ...model, model: 'local', source: null, price: null }] },
    {},
  ];
  expect(pricesInWords(lanes)).toEqual([
    'openai gpt-5: $1.25 in, $10 out per million tokens, list of 2026-06-21',
    'openai gpt-5: $1.25 in, $10 out per million tokens, of the account',
    'openai local: unknown',
  ]);
});
