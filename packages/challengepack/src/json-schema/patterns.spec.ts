import { describe, expect, test } from '@jest/globals';
import { compileJsonSchema } from './json-schema.js';

describe('patterns in schemas', () => {
  test('each pattern is its own, whatever was compiled before', () => {
    const digits = compileJsonSchema({ type: 'string', pattern: '^[0-9]+$' });
    const letters = compileJsonSchema({ type: 'string', pattern: '^[a-z]+$' });
    expect([digits?.('12'), digits?.('ab'), letters?.('ab'), letters?.('12')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('several patterns of one schema stay apart', () => {
    const schema = {
      patternProperties: { '^n-': { type: 'number' }, '^s-': { type: 'string' } },
      additionalProperties: false,
    };
    const conforms = compileJsonSchema(schema);
    expect(conforms?.({ 'n-a': 1, 's-a': 'x' })).toBe(true);
    expect(conforms?.({ 'n-a': 'x' })).toBe(false);
    expect(conforms?.({ other: 1 })).toBe(false);
  });
});
