import { readFileSync } from 'node:fs';
import { callCostUsd, compareCodePoints } from '@agentclash/challengepack';
import { BASE_URLS, PROVIDER_KEYS } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { listPrices, parseListPrices } from './list-prices.js';

const TEXT = readFileSync(new URL('../data/list-prices.yaml', import.meta.url), 'utf8');
const FILE = parse(TEXT) as Record<string, { models: Record<string, unknown> }>;
const DATE_SUFFIX = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

describe('the file of list prices', () => {
  test('the file has prices of every provider that has an address of its own, and of no other', () => {
    expect(Object.keys(FILE)).toEqual(Object.keys(BASE_URLS).sort(compareCodePoints));
    expect(listPrices().map(({ provider_key }) => provider_key)).toEqual(
      PROVIDER_KEYS.filter((key) => key in BASE_URLS),
    );
  });

  test.each(Object.entries(FILE))('the models of %s are sorted by their ids', (_provider, { models }) => {
    const ids = Object.keys(models);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual([...ids].sort(compareCodePoints));
  });

  test.each(listPrices())('the prices of $provider_key are of a day that has passed', ({ as_of, source }) => {
    expect(new Date(as_of).toISOString().slice(0, 10)).toBe(as_of);
    expect(Date.parse(as_of)).toBeLessThan(Date.now());
    expect(new URL(source).protocol).toBe('https:');
  });

  test.each(listPrices().flatMap(({ models }) => models))(
    'a cache makes the input of $provider_model_id cheaper, and a long prompt makes nothing cheaper',
    ({ long_prompt: long, ...price }) => {
      const input = price.input_cost_per_million_tokens;
      expect(price.cached_input_cost_per_million_tokens ?? input).toBeLessThanOrEqual(input);
      expect(price.cache_write_cost_per_million_tokens ?? input).toBeGreaterThanOrEqual(input);
      expect(price.output_cost_per_million_tokens).toBeGreaterThanOrEqual(input);
      expect(long?.input_cost_per_million_tokens ?? input).toBeGreaterThanOrEqual(input);
      const { above_input_tokens: _above, ...rates } = long ?? {};
      const { provider_key: _provider, provider_model_id: _id, ...base } = price;
      expect(Object.keys(long ? rates : base)).toEqual(Object.keys(base));
    },
  );

  test('a dated id has a row only where its price differs from that of the id without the date', () => {
    for (const { models } of listPrices()) {
      for (const dated of models.filter((price) => DATE_SUFFIX.test(price.provider_model_id))) {
        const undated = models.find(
          (price) => price.provider_model_id === dated.provider_model_id.replace(DATE_SUFFIX, ''),
        );
        const usage = { input: 1_000, output: 100 };
        expect(undated && callCostUsd(usage, undated)).not.toBe(callCostUsd(usage, dated));
      }
    }
  });
});

describe('the reader of list prices', () => {
  const file = (models: string, as_of = '2026-01-31') =>
    `openai:\n  as_of: ${as_of}\n  source: https://openai.com/pricing\n  models:\n    ${models}\n`;

  test('a file is read into rows with the names of rates that packs and accounts use', () => {
    const text = file(
      'm: { input: 1, cached_input: 0.1, cache_write: 1.25, output: 4, reasoning: 5, long_prompt: { above_input_tokens: 9, input: 2, output: 8 } }',
    );
    expect(parseListPrices(text)).toEqual([
      {
        provider_key: 'openai',
        as_of: '2026-01-31',
        source: 'https://openai.com/pricing',
        models: [
          {
            provider_key: 'openai',
            provider_model_id: 'm',
            input_cost_per_million_tokens: 1,
            cached_input_cost_per_million_tokens: 0.1,
            cache_write_cost_per_million_tokens: 1.25,
            output_cost_per_million_tokens: 4,
            reasoning_cost_per_million_tokens: 5,
            long_prompt: {
              above_input_tokens: 9,
              input_cost_per_million_tokens: 2,
              output_cost_per_million_tokens: 8,
            },
          },
        ],
      },
    ]);
  });

  test.each([
    ['a price of 0', file('m: { input: 0, output: 1 }'), /input/],
    ['a negative price', file('m: { input: 1, output: -1 }'), /output/],
    ['a price that is a text', file('m: { input: "1", output: 1 }'), /input/],
    ['a model without an output price', file('m: { input: 1 }'), /output/],
    ['an unknown rate', file('m: { input: 1, output: 1, inptu: 1 }'), /inptu/],
    ['a day that does not exist', file('m: { input: 1, output: 1 }', '2026-02-30'), /as_of/],
    [
      'a model that is listed twice',
      file('m: { input: 1, output: 1 }\n    m: { input: 2, output: 2 }'),
      /unique/,
    ],
    [
      'an unknown provider',
      'acme:\n  as_of: 2026-01-31\n  source: https://acme.test\n  models: {}\n',
      /acme/,
    ],
  ])('%s is refused', (_case, text, message) => {
    expect(() => parseListPrices(text)).toThrow(message);
  });
});
