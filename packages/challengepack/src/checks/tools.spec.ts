import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../json.js';
import { findingsIn, set } from '../testing/example-pack.js';

function inTools(...custom: JsonObject[]): string[] {
  return findingsIn([set('tools', { custom })]).map((finding) => finding.replace('tools.custom', ''));
}

const delegate = (name: string, primitive: string, args: JsonObject = {}) => ({
  name,
  implementation: { primitive, args },
});
const mock = (implementation: JsonObject) => ({
  name: 'm',
  implementation: { type: 'mock', ...implementation },
});

describe('parameters', () => {
  const parameters = (schema: JsonObject) => inTools({ ...delegate('a', 'read_file'), parameters: schema });

  test.each<[JsonObject, boolean]>([
    [{}, true],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }, true],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, false],
    [{ type: ['object'] }, false],
    [{ properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: {} } }, true],
    [{ properties: { a: { $ref: '#/$defs/c' } } }, false],
    [{ properties: { a: { $ref: 'https://example.com/x' } } }, false],
    [{ properties: { a: { pattern: '(?=x)' } } }, false],
    [{ properties: { a: { pattern: '^\\d+$' } } }, true],
    [{ required: 'a' }, false],
  ])('the parameters %j have the problems %j', (schema, isValid) => {
    expect(parameters(schema)).toEqual(isValid ? [] : ['[0].parameters invalid_schema']);
  });

  test('parameter names are trimmed before placeholders are compared with them', () => {
    const tool = {
      ...delegate('a', 'read_file', { path: '${x} ${ x}' }),
      parameters: { properties: { ' x ': {} } },
    };
    expect(inTools(tool)).toEqual(['[0].implementation.args["path"] unknown_placeholder']);
  });
});

describe('placeholders', () => {
  const args = (text: string) => inTools(delegate('a', 'read_file', { path: text }));
  const at = '[0].implementation.args["path"]';

  test.each([
    ['${parameters}', []],
    ['${json:parameters}', []],
    ['${parameters.x}', ['unknown_placeholder']],
    ['${x} ${x} ${y}', ['unknown_placeholder', 'unknown_placeholder']],
    ['${secrets. } ${', ['invalid_placeholder', 'invalid_placeholder']],
    ['${html:x}', ['unknown_placeholder']],
    ['$${x}', []],
    ['$$${x}', []],
  ])('the argument %s has the problems %j', (text, codes) => {
    expect(args(text)).toEqual(codes.map((code) => `${at} ${code}`));
  });

  test('keys are plain text, and roots of an echo template are free', () => {
    expect(inTools(delegate('a', 'read_file', { '${x}': 'y' }))).toEqual([]);
    expect(inTools(mock({ template: { a: '${x} ${}' } }))).toEqual([
      '[0].implementation.template["a"] invalid_placeholder',
    ]);
    expect(inTools(mock({ response: '${}' }))).toEqual([]);
  });
});

describe('implementations', () => {
  test.each<[JsonObject, string[]]>([
    [{}, ['response required']],
    [{ response: null }, []],
    [{ lookup_key: 'a' }, ['responses required']],
    [{ responses: {} }, ['lookup_key required', 'responses required']],
    [{ strategy: 'echo' }, ['template required']],
    [{ strategy: 'static', response: 1, template: {} }, ['template value_ignored']],
    [{ strategy: 5 }, ['strategy unknown_value']],
  ])('a mock with %j has the problems %j', (implementation, findings) => {
    expect(inTools(mock(implementation))).toEqual(findings.map((finding) => `[0].implementation.${finding}`));
  });

  test('members of a mock are ignored on a delegate', () => {
    const implementation = { type: 'http', primitive: 'read_file', args: {}, strategy: 'x', response: null };
    expect(inTools({ name: 'a', implementation })).toEqual([
      '[0].implementation.type value_ignored',
      '[0].implementation.strategy value_ignored',
      '[0].implementation.response value_ignored',
    ]);
  });

  test('a delegate is suggested among primitives and tools', () => {
    expect(inTools(delegate('fetch_it', 'read_file'), delegate('b', 'fetchit'))).toEqual([
      '[1].implementation.primitive unknown_reference',
    ]);
  });

  test('an unreadable tool may be the delegate, so the delegate is not called unknown', () => {
    expect(findingsIn([set('tools', { custom: [5, delegate('b', 'other')] })])).toEqual([
      'tools.custom[0] type_mismatch',
    ]);
  });

  test('a chain too deep may also end in something never admitted', () => {
    const chain = Array.from({ length: 9 }, (_, i) => delegate(`t${i}`, i === 8 ? 'submit' : `t${i + 1}`));
    const found = inTools(...chain);
    expect(found.filter((finding) => finding.endsWith('delegation_too_deep'))).toEqual([
      '[0].implementation.primitive delegation_too_deep',
    ]);
    expect(found.filter((finding) => finding.endsWith('tool_never_allowed'))).toHaveLength(9);
  });
});
