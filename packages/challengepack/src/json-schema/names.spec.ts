import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileJsonSchema } from './json-schema.js';

const INHERITED = ['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf'];

describe('names that JavaScript gives to every object', () => {
  test.each(INHERITED)('%s is missing where it is not written', (name) => {
    expect(compileJsonSchema({ required: [name] })?.({})).toBe(false);
    expect(compileJsonSchema({ required: [name] })?.(Object.fromEntries([[name, 1]]))).toBe(true);
    expect(compileJsonSchema({ dependentRequired: { a: [name] } })?.({ a: 1 })).toBe(false);
    expect(compileJsonSchema({ dependentSchemas: Object.fromEntries([[name, false]]) })?.({})).toBe(true);
  });

  test.each(INHERITED)('%s is a property like any other', (name) => {
    const text = Object.fromEntries([[name, { type: 'string' }]]);
    const check = compileJsonSchema({ properties: text, additionalProperties: false });
    expect(check?.({})).toBe(true);
    expect(check?.(Object.fromEntries([[name, 'x']]))).toBe(true);
    expect(check?.(Object.fromEntries([[name, 1]]))).toBe(false);
    expect(compileJsonSchema({ additionalProperties: false })?.(Object.fromEntries([[name, 1]]))).toBe(false);
  });

  test('required holds exactly what is written, whatever the names', () => {
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
