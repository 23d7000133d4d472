import { describe, expect, test } from '@jest/globals';
import { compileJsonSchema } from './json-schema.js';

/** A tree whose nodes may have nothing but what it names, by a reference in a circle. */
const CLOSED_TREE = {
  type: 'object',
  properties: { name: { type: 'string' } },
  $ref: '#/$defs/branching',
  unevaluatedProperties: false,
  $defs: { branching: { properties: { child: { $ref: '#' } } } },
};

describe('what no other keyword took account of', () => {
  test.each<[string, object, unknown, boolean]>([
    ['properties behind a circle of references', CLOSED_TREE, { name: 'a', child: { name: 'b' } }, true],
    ['a stray property behind a circle', CLOSED_TREE, { name: 'a', child: { nam: 'b' } }, false],
    [
      'only the branch that fits counts',
      {
        anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: true } }],
        unevaluatedProperties: false,
      },
      { a: 1, b: 1 },
      false,
    ],
    [
      'all branches that fit count',
      { anyOf: [{ properties: { a: true } }, { properties: { b: true } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
      true,
    ],
    [
      'a condition that holds counts',
      { if: { properties: { a: { const: 1 } }, required: ['a'] }, unevaluatedProperties: false },
      { a: 1 },
      true,
    ],
    [
      'what is negated does not',
      { not: { not: { properties: { a: true } } }, unevaluatedProperties: false },
      { a: 1 },
      false,
    ],
    [
      'a cousin sees nothing',
      { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] },
      { a: 1 },
      false,
    ],
    ['items by prefix', { prefixItems: [true], unevaluatedItems: false }, [1, 2], false],
    [
      'items that contains found',
      { contains: { type: 'string' }, unevaluatedItems: false },
      ['a', 'b'],
      true,
    ],
    [
      'items that contains did not find',
      { contains: { type: 'string' }, unevaluatedItems: false },
      ['a', 1],
      false,
    ],
    [
      'items of two prefixes',
      { allOf: [{ prefixItems: [true, true] }], prefixItems: [true], unevaluatedItems: false },
      [1, 2],
      true,
    ],
    [
      'items behind a reference',
      {
        $ref: '#/$defs/two',
        unevaluatedItems: { type: 'null' },
        $defs: { two: { prefixItems: [true, true] } },
      },
      [1, 2, 3],
      false,
    ],
    [
      'an unevaluated keyword below counts above',
      { allOf: [{ unevaluatedItems: true }], unevaluatedItems: false },
      [1],
      true,
    ],
  ])(
    'unevaluated members are those that no other keyword evaluated: %s',
    (_what, schema, value, conforms) => {
      expect(compileJsonSchema(schema)?.(value)).toBe(conforms);
    },
  );
});
