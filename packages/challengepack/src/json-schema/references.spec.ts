import { describe, expect, test } from '@jest/globals';
import { readJson } from '../values/exact-json.js';
import { compileJsonSchema, schemaProblem } from './json-schema.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

const TREE = {
  type: 'object',
  properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } },
  required: ['value'],
};
const EXTENSIBLE = {
  $id: 'https://x.example/list',
  $ref: 'generic',
  $defs: {
    content: { $dynamicAnchor: 'T', type: 'string' },
    generic: {
      $id: 'generic',
      type: 'array',
      items: { $dynamicRef: '#T' },
      $defs: { any: { $dynamicAnchor: 'T' } },
    },
  },
};

describe('references within a schema', () => {
  test.each<[string, object | boolean, unknown, boolean]>([
    ['a reference to the root recurs', TREE, { value: 1, children: [{ value: 2, children: [] }] }, true],
    [
      'a reference to the root finds what is wrong far below',
      TREE,
      { value: 1, children: [{ value: 2, children: [{}] }] },
      false,
    ],
    [
      'a reference to the root recurs in draft-07',
      { ...TREE, $schema: DRAFT_07 },
      { value: 1, children: [{}] },
      false,
    ],
    [
      'an $id of its own is a base',
      { $id: 'https://x.example/a', $ref: '#/$defs/n', $defs: { n: { type: 'null' } } },
      1,
      false,
    ],
    [
      'a schema may refer to itself by its $id',
      { $id: 'https://x.example/a', properties: { a: { $ref: 'https://x.example/a' } }, maxProperties: 1 },
      { a: { b: 1, c: 2 } },
      false,
    ],
    [
      'a URN is an identity',
      {
        $id: 'urn:uuid:deadbeef-1234-ff00-00ff-4321feebdaed',
        properties: { a: { $ref: 'urn:uuid:deadbeef-1234-ff00-00ff-4321feebdaed#/$defs/n' } },
        $defs: { n: { type: 'null' } },
      },
      { a: 1 },
      false,
    ],
    [
      'an $id may be relative to the one around it',
      { $id: 'https://x.example/dir/root', $ref: 'item', $defs: { i: { $id: 'item', type: 'null' } } },
      1,
      false,
    ],
    [
      'an $id may be relative without any around it',
      { $ref: 'item', $defs: { i: { $id: 'item', type: 'null' } } },
      null,
      true,
    ],
    ['an anchor is found', { $ref: '#n', $defs: { a: { $anchor: 'n', type: 'null' } } }, 1, false],
    [
      'a name of draft-07 is found',
      {
        $schema: DRAFT_07,
        properties: { a: { $ref: '#n' } },
        definitions: { a: { $id: '#n', type: 'null' } },
      },
      { a: 1 },
      false,
    ],
    [
      'escaped and encoded pointers are found',
      { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { type: 'null' } } },
      1,
      false,
    ],
    ['siblings of a reference count', { $ref: '#/$defs/any', type: 'null', $defs: { any: true } }, 1, false],
    [
      'a dynamic reference without extension is a plain one',
      { $ref: 'generic', $defs: { generic: EXTENSIBLE.$defs.generic } },
      ['a', 1],
      true,
    ],
    ['a dynamic reference leads to the outermost extension', EXTENSIBLE, ['a', 1], false],
    ['a dynamic reference accepts what the extension does', EXTENSIBLE, ['a', 'b'], true],
    [
      'a pointer into data is a schema there',
      { $ref: '#/x-own/n', 'x-own': { n: { type: 'null' } } },
      1,
      false,
    ],
    [
      'an $id in data is none',
      { $ref: '#/$defs/n', $defs: { n: { const: { $id: 'https://x.example/z' } } } },
      { $id: 'https://x.example/z' },
      true,
    ],
  ])('a reference is resolved by the rules of its draft: %s', (_what, schema, value, conforms) => {
    expect(compileJsonSchema(schema)?.(value)).toBe(conforms);
  });

  test.each([
    [{ $ref: '#/$defs/no' }, 'at /$ref: "#/$defs/no" refers to nothing within this schema'],
    [
      { properties: { 'a/b': { $ref: 'https://x.example/' } } },
      'at /properties/a~1b/$ref: "https://x.example/" refers to nothing within this schema',
    ],
    [{ $ref: '#' }, 'at the root: is a reference that leads back to itself without end'],
    [
      { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' },
      'at /$defs/a: is a reference that leads back to itself without end',
    ],
    [
      { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } },
      'at /$defs/b/$id: "x" is the identity of another subschema',
    ],
    [{ $schema: 'https://x.example/meta' }, 'at /$schema: must name draft-07 or draft 2020-12'],
    [{ properties: { a: { pattern: '(?=b)' } } }, 'at /properties/a/pattern: is not an RE2 expression'],
    [{ items: [{}] }, 'at /items: must be a schema: an object or a boolean'],
  ])('the schema %j is refused with the place and the reason', (schema, problem) => {
    expect(schemaProblem(schema)).toBe(problem);
  });

  test('a subschema that nothing refers to may refer to a missing one', () => {
    expect(schemaProblem({ $defs: { unused: { $ref: 'https://x.example/' } } })).toBeNull();
  });

  test('a value of 256 levels is checked against a schema that recurs at each', () => {
    const text = `${'[['.repeat(128)}${']]'.repeat(128)}`;
    const reading = readJson(text);
    const recursive = { type: 'array', items: { anyOf: [{ $ref: '#' }, { type: 'null' }] } };
    expect(compileJsonSchema(recursive)?.(reading.ok && reading.value)).toBe(true);
  });
});
