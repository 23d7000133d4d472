import { expect, test } from '@jest/globals';
import { accountProblems } from './account-rules.js';

const proxied = {
  name: 'a',
  base_url: 'https://proxy.test/v1',
  credential_reference: 'workspace-secret://K',
};

test('an account of compatible servers cannot have list prices, as there is no list of them', () => {
  const compatible = { ...proxied, provider_key: 'openai_compatible' as const };
  expect(accountProblems({ ...compatible, list_prices: true })).toMatchObject([
    { code: 'contradiction', field: 'list_prices' },
  ]);
  expect(accountProblems({ ...compatible, list_prices: false })).toEqual([]);
  expect(accountProblems({ ...proxied, provider_key: 'openai', list_prices: true })).toEqual([]);
});
