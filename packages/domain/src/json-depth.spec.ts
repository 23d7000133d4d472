import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonDepth } from './json-depth.js';

const levels = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levels)) : 0;

describe('jsonDepth', () => {
  test('jsonDepth counts the levels of nesting of every JSON text, whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonDepth(Buffer.from(JSON.stringify(value)))).toBe(levels(value));
      }),
    );
  });

  test('jsonDepth reads a million levels', () => {
    expect(jsonDepth(Buffer.alloc(1_000_000, '['))).toBe(1_000_000);
  });
});
