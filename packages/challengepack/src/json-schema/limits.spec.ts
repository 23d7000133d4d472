import { describe, expect, test } from '@jest/globals';
import { compileJsonSchema, readJsonSchema, schemaProblem } from './json-schema.js';
import { patternSize } from './pattern.js';

/** Doubles with each definition: 2^n subschemas when written out. */
function doubling(levels: number, wrap: (ref: object) => object = (ref) => ref): object {
  const $defs: Record<string, object> = { a0: { type: 'string' } };
  for (let at = 1; at <= levels; at += 1) {
    const ref = { $ref: `#/$defs/a${at - 1}` };
    $defs[`a${at}`] = { allOf: [wrap(ref), wrap(ref)] };
  }
  return { $defs, $ref: `#/$defs/a${levels}` };
}

describe('bounds of a schema', () => {
  test('references that put 2^60 subschemas in one place are counted and refused', () => {
    expect(schemaProblem(doubling(10))).toBeNull();
    expect(schemaProblem(doubling(60))).toBe(
      'at /$defs/a15: expands to more than 100000 subschemas once its references are followed',
    );
  });

  test('references that double at each level of a value are evaluated once at each', () => {
    const schema = doubling(60, (ref) => ({ properties: { x: ref } }));
    let value: unknown = 'text';
    for (let at = 0; at < 60; at += 1) value = { x: value };
    expect(compileJsonSchema(schema)?.(value)).toBe(true);
    let wrong: unknown = 1;
    for (let at = 0; at < 60; at += 1) wrong = { x: wrong };
    expect(compileJsonSchema(schema)?.(wrong)).toBe(false);
    const reading = readJsonSchema(schema);
    const violation = { path: '/x'.repeat(60), keyword: 'type', message: 'must be string' };
    expect(reading.ok && reading.schema.violations(wrong)).toEqual([violation, violation]);
  });

  test('a definition that is referred to 1,600 times is compiled once', () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, { type: 'string' }]));
    const properties = Object.fromEntries(
      Array.from({ length: 1_600 }, (_, at) => [`r${at}`, { $ref: '#/$defs/wide' }]),
    );
    const check = compileJsonSchema({ properties, $defs: { wide: { properties: wide } } });
    expect(check?.({ r1599: { p499: 'x' } })).toBe(true);
    expect(check?.({ r1599: { p499: 1 } })).toBe(false);
  });

  test('patterns are limited by the size of their programs, before they are compiled', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`p${at}`, { pattern: `a{${at % 1_000}}b{1,900}` }]),
    );
    expect(schemaProblem({ properties })).toBe(
      'at /properties/p104/pattern: the patterns of the schema need more than 100000 RE2 instructions',
    );
  });

  test.each([
    ['abc', 3],
    ['a{100}', 101],
    ['(ab){10}', 41],
    ['((a{10}){10}){10}', 1_000],
    ['[abc]+', 2],
    ['\\{100}', 4],
    ['[{100}]', 1],
    ['\\Qab{9}\\E', 9],
    ['\\p{Greek}{50}', 51],
  ])('the program of %s has about %d instructions', (pattern, size) => {
    expect(patternSize(pattern)).toBeGreaterThanOrEqual(size);
    expect(patternSize(pattern)).toBeLessThanOrEqual(size * 1.5 + 3);
  });

  test('more subschemas, deeper nesting and longer chains than the limits are refused', () => {
    const many = Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`p${at}`, true]));
    expect(schemaProblem({ properties: many })).toContain('more than 50000 subschemas');
    let deep: object = {};
    for (let at = 0; at < 50_000; at += 1) deep = { not: deep };
    expect(schemaProblem(deep)).toContain('nested deeper than 256 levels');
    const $defs: Record<string, object> = { a0: {} };
    for (let at = 1; at <= 2_000; at += 1) $defs[`a${at}`] = { $ref: `#/$defs/a${at - 1}` };
    expect(schemaProblem({ $defs, $ref: '#/$defs/a2000' })).toContain('more than 500 references in a row');
  });

  test('evaluation that nests too deeply is neither an exception nor a pass', () => {
    const chain: Record<string, object> = { a0: { properties: { x: { $ref: '#' } } } };
    for (let at = 1; at <= 400; at += 1) chain[`a${at}`] = { $ref: `#/$defs/a${at - 1}` };
    const check = compileJsonSchema({ $defs: chain, $ref: '#/$defs/a400' });
    let value: unknown = {};
    for (let at = 0; at < 250; at += 1) value = { x: value };
    expect(check?.({ x: {} })).toBe(true);
    expect(check?.(value)).toBe(false);
  });
});
