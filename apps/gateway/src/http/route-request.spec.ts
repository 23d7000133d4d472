import { queryValues } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';

const schema = z.strictObject({
  limit: z.number().default(50),
  strict: z.boolean().optional(),
  q: z.string().optional(),
});

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [
    { limit: '7', strict: 'true', q: '7' },
    { limit: 7, strict: true, q: '7' },
  ],
  [
    { limit: '-7', strict: 'false' },
    { limit: -7, strict: false },
  ],
  [
    { limit: '1e3', strict: '1', q: '' },
    { limit: '1e3', strict: '1', q: '' },
  ],
  [{ limit: '99999999999999999999' }, { limit: '99999999999999999999' }],
  [
    { limit: ['1', '2'], other: '1', toString: '1' },
    { limit: ['1', '2'], other: '1', toString: '1' },
  ],
])("the query text is converted to its schema's types, or stays text: %j", (query, values) => {
  expect(queryValues(schema, query)).toEqual(values);
});

describe('a query', () => {
  test('a query value that is not a number is refused by its schema', () => {
    expect(schema.safeParse(queryValues(schema, { limit: 'x' })).success).toBe(false);
  });
});
