import { describe, expect, test } from '@jest/globals';
import { readJson } from '../values/exact-json.js';
import { compileJsonSchema } from './json-schema.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

describe('compileJsonSchema', () => {
  test.each([
    [{ type: 'integer' }, '1.0', true],
    [{ type: 'integer' }, '1.5', false],
    [{ type: 'integer' }, '9007199254740993', true],
    [{ type: 'number' }, '1e400', true],
    [{ prefixItems: [{ type: 'string' }], items: false }, '["a"]', true],
    [{ prefixItems: [{ type: 'string' }], items: false }, '["a",1]', false],
    [{ $schema: DRAFT_07, items: [{ type: 'string' }], additionalItems: false }, '["a",1]', false],
    [{ $schema: 'https://json-schema.org/draft-07/schema', items: [{ type: 'string' }] }, '[1]', false],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema#', type: 'string' }, '"a"', true],
    [{ format: 'date-time' }, '"2025-01-01T00:00:00Z"', true],
    [{ format: 'email' }, '"no-at-sign"', false],
    [{ format: 'regex' }, '"(?=a)"', false],
    [{ format: 'no-such-format' }, '"x"', true],
    [{ format: 'iri' }, '"https://exämple.org/ü"', true],
    [{ format: 'iri' }, '"no iri"', false],
    [{ format: 'idn-email' }, '"jürgen@exämple.org"', true],
    [{ format: 'idn-email' }, '"jürgen"', false],
    [{ format: 'idn-hostname' }, '"exämple.org"', true],
    [{ pattern: '^\\d{3}$' }, '"12x"', false],
    [{ patternProperties: { '^a': { type: 'number' } } }, '{"ab":"x"}', false],
    [{ uniqueItems: true }, '[1,1.0]', false],
    [{ uniqueItems: true }, '[{"a":1,"b":2},{"b":2,"a":1}]', false],
    [{ uniqueItems: true }, '[1,"1",true]', true],
    [{ const: { a: [1] } }, '{"a":[1.0]}', true],
    [{ $ref: '#/$defs/n', $defs: { n: { type: 'null' } } }, '1', false],
    [{ unevaluatedProperties: false, properties: { a: true } }, '{"b":1}', false],
    [true, '1', true],
    [false, '1', false],
  ])('the schema %j accepts the value %s: %s', (schema, json, obeys) => {
    const reading = readJson(json);
    expect(compileJsonSchema(schema)?.(reading.ok && reading.value)).toBe(obeys);
  });

  test.each([
    [{ type: 'objekt' }],
    [{ pattern: '(?=a)' }],
    [{ $ref: 'https://example.com/x.json' }],
    [{ $ref: 'other.json#/a' }],
    [{ $ref: DRAFT_07 }],
    [{ $ref: '#/$defs/missing' }],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }],
    [{ required: 'a' }],
    [{ items: [{}] }],
    [null],
    [[]],
    ['{}'],
  ])('the value %j is no schema', (schema) => {
    expect(compileJsonSchema(schema)).toBeNull();
  });

  test('keywords of no draft have no effect', () => {
    expect(compileJsonSchema({ type: 'string', nullable: true })?.(null)).toBe(false);
    expect(compileJsonSchema({ $async: true, type: 'string' })?.(1)).toBe(false);
  });

  test('keywords are plain data where the schema holds data', () => {
    const check = compileJsonSchema({ const: { nullable: true, $ref: DRAFT_07 } });
    expect(check?.({ nullable: true, $ref: DRAFT_07 })).toBe(true);
    expect(compileJsonSchema({ properties: { nullable: { type: 'string' } } })?.({ nullable: 1 })).toBe(
      false,
    );
  });

  test('the siblings of a reference are ignored in draft-07', () => {
    const schema = {
      definitions: { any: {} },
      properties: { a: { $ref: '#/definitions/any', type: 'string' } },
    };
    expect(compileJsonSchema({ ...schema, $schema: DRAFT_07 })?.({ a: 1 })).toBe(true);
    expect(compileJsonSchema(schema)?.({ a: 1 })).toBe(false);
  });

  test('two schemas with one $id do not affect each other', () => {
    expect(compileJsonSchema({ $id: 'https://a.example/s', type: 'string' })?.('x')).toBe(true);
    expect(compileJsonSchema({ $id: 'https://a.example/s', type: 'number' })?.('x')).toBe(false);
    expect(compileJsonSchema({ $ref: 'https://a.example/s' })).toBeNull();
  });

  test('a long list of objects is checked for repeated entries in linear time', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => ({ at }));
    expect(compileJsonSchema({ uniqueItems: true })?.(items)).toBe(true);
  });
});
