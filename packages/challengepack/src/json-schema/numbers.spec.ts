import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readJson } from '../expected/exact-json.js';
import { compileJsonSchema } from './json-schema.js';

const conforms = (schema: string, value: string) => {
  const [readSchema, readValue] = [readJson(schema), readJson(value)];
  return compileJsonSchema(readSchema.ok && readSchema.value)?.(readValue.ok && readValue.value);
};

describe('numbers are compared by their exact value', () => {
  test.each([
    ['{"maximum": 9007199254740992}', '9007199254740993', false],
    ['{"exclusiveMinimum": 9007199254740992}', '9007199254740993', true],
    ['{"const": 9007199254740993}', '9007199254740992', false],
    ['{"multipleOf": 0.0001}', '0.0075', true],
    ['{"multipleOf": 0.01}', '4.35', true],
    ['{"multipleOf": 0.1}', '1e300', true],
    ['{"multipleOf": 3}', '1e1000000', false],
    ['{"multipleOf": 8}', '1e1000000', true],
    ['{"multipleOf": 1e-9}', '1e-10', false],
    ['{"type": "integer"}', '1e400', true],
    ['{"type": "integer"}', '1.5e1', true],
    ['{"maxLength": 2.0}', '"abc"', false],
  ])('%s on %s: %s', (schema, value, expected) => {
    expect(conforms(schema, value)).toBe(expected);
  });

  test('a multiple is found whatever the digits behind the point', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer(), fc.nat(12), (unit, times, locations) => {
        const [divisor, value] = [`${unit}e-${locations}`, `${BigInt(unit) * BigInt(times)}e-${locations}`];
        expect(conforms(`{"multipleOf": ${divisor}}`, value)).toBe(true);
        const isNext = unit === 1;
        const next = `${BigInt(unit) * BigInt(times) + 1n}e-${locations}`;
        expect(conforms(`{"multipleOf": ${divisor}}`, next)).toBe(isNext);
      }),
    );
  });
});
