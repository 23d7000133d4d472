import type { JsonObject } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { argumentsCheck, checkArgumentsShape } from './arguments.js';

describe('arguments of a call', () => {
  test('a property name is escaped in the pointer', () => {
    const check = argumentsCheck({ type: 'object', properties: {}, additionalProperties: false });
    expect(check({ 'a/b~c': 1 })).toMatchObject({ ok: false, path: '/a~1b~0c' });
  });

  test('a secret is tested for its type text and for nothing else', () => {
    const token = (schema: JsonObject) => argumentsCheck({ type: 'object', properties: { token: schema } });
    const opaque = new Set(['/token']);
    const value = { token: '[secret K]' };
    expect(token({ type: 'string', maxLength: 2, pattern: '^x$', enum: ['y'] })(value, opaque)).toEqual({
      ok: true,
    });
    expect(token({ type: 'integer' })(value, opaque)).toMatchObject({ ok: false, path: '/token' });
  });

  test('patterns in schemas of arguments run in linear time', () => {
    const check = argumentsCheck({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' } },
    });
    expect(check({ a: `${'a'.repeat(50_000)}!` })).toMatchObject({ ok: false, path: '/a' });
  });

  test('schemas with the same $id do not affect each other', () => {
    const named = (type: string): JsonObject => ({ $id: 'https://x.example/s', properties: { a: { type } } });
    expect(argumentsCheck(named('string'))({ a: 'x' })).toEqual({ ok: true });
    expect(argumentsCheck(named('integer'))({ a: 'x' })).toMatchObject({ ok: false, path: '/a' });
  });

  test('a schema has the same meaning after many other schemas', () => {
    for (let at = 0; at < 250; at++) {
      const check = argumentsCheck({ properties: { a: { type: 'string', pattern: `^x${at}$` } } });
      expect(check({ a: `x${at}` })).toEqual({ ok: true });
      expect(check({ a: 'x' })).toMatchObject({ ok: false, path: '/a' });
    }
  });

  test('a list, a text and null are no arguments', () => {
    for (const args of [[], 'x', null, 3])
      expect(() => checkArgumentsShape(args)).toThrow('must be a JSON object');
  });

  test('arguments of 64 levels are accepted, and 65 are refused', () => {
    const nested = (depth: number): JsonObject => (depth === 1 ? {} : { a: nested(depth - 1) });
    expect(() => checkArgumentsShape(nested(64))).not.toThrow();
    expect(() => checkArgumentsShape(nested(65))).toThrow('deeper than 64 levels');
  });

  test('arguments of more than 256 KiB are refused', () => {
    expect(() => checkArgumentsShape({ a: 'x'.repeat(256 * 1024) })).toThrow('larger than 256 KiB');
  });
});
