import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readJson } from '../values/exact-json.js';
import { compileJsonSchema } from './json-schema.js';

describe('names of members', () => {
  const INHERITED = ['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf'];

  describe('names that JavaScript gives to every object', () => {
    test.each(INHERITED)('the name %s is missing where it is not written', (name) => {
      expect(compileJsonSchema({ required: [name] })?.({})).toBe(false);
      expect(compileJsonSchema({ required: [name] })?.(Object.fromEntries([[name, 1]]))).toBe(true);
      expect(compileJsonSchema({ dependentRequired: { a: [name] } })?.({ a: 1 })).toBe(false);
      expect(compileJsonSchema({ dependentSchemas: Object.fromEntries([[name, false]]) })?.({})).toBe(true);
    });

    test.each(INHERITED)('the name %s is a property like any other', (name) => {
      const text = Object.fromEntries([[name, { type: 'string' }]]);
      const check = compileJsonSchema({ properties: text, additionalProperties: false });
      expect(check?.({})).toBe(true);
      expect(check?.(Object.fromEntries([[name, 'x']]))).toBe(true);
      expect(check?.(Object.fromEntries([[name, 1]]))).toBe(false);
      expect(compileJsonSchema({ additionalProperties: false })?.(Object.fromEntries([[name, 1]]))).toBe(
        false,
      );
    });

    test('a required name needs exactly a written member, whatever the name is', () => {
      const name = fc.oneof(fc.constantFrom(...INHERITED), fc.string());
      fc.assert(
        fc.property(fc.uniqueArray(name), fc.uniqueArray(name), (required, written) => {
          const value = Object.fromEntries(written.map((each) => [each, 0]));
          const holds = required.every((each) => written.includes(each));
          expect(compileJsonSchema({ required })?.(value)).toBe(holds);
        }),
      );
    });
  });
});

describe('numbers', () => {
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
    ])('the schema %s accepts %s: %s', (schema, value, expected) => {
      expect(conforms(schema, value)).toBe(expected);
    });

    test('a multiple is found whatever the digits after the point are', () => {
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
});

describe('patterns', () => {
  describe('patterns in schemas', () => {
    test('each pattern is compiled by itself, whatever was compiled before', () => {
      const digits = compileJsonSchema({ type: 'string', pattern: '^[0-9]+$' });
      const letters = compileJsonSchema({ type: 'string', pattern: '^[a-z]+$' });
      expect([digits?.('12'), digits?.('ab'), letters?.('ab'), letters?.('12')]).toEqual([
        true,
        false,
        true,
        false,
      ]);
    });

    test('several patterns of one schema do not affect each other', () => {
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
});
