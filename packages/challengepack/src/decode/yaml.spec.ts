import { describe, expect, test } from '@jest/globals';
import { readPack } from '../read/read-pack.js';
import { EXAMPLE, placedFindingsIn } from '../testing/example-pack.js';
import { DOCUMENT_BYTES_MAX } from './compose.js';
import { Fatal } from './fatal.js';
import { parseYaml } from './parse-yaml.js';
import type { SourceNode } from './source.js';

function json(node: SourceNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(json);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, json(entry.value)]));
}

const read = (text: string) => json(parseYaml(text));

function fatal(text: string): string {
  try {
    parseYaml(text);
  } catch (error) {
    if (error instanceof Fatal) return `${error.code} ${error.at}`;
    throw error;
  }
  return 'none';
}

describe('scalars follow the core schema', () => {
  test.each([
    ['yes', 'yes'],
    ['True', true],
    ['017', 17],
    ['0o17', 15],
    ['0x1F', 31],
    ['1_000', '1_000'],
    ['2001-01-01', '2001-01-01'],
    ['1e3', 1000],
    ['.5', 0.5],
    ['-0', 0],
    ['Null', null],
    ['!!str 12', '12'],
    ['!!int "12"', 12],
    ['!!float 12', 12],
    ['"12"', '12'],
  ])('the scalar %s is read as %j', (text, value) => {
    expect(read(`a: ${text}`)).toEqual({ a: value });
  });

  test.each([
    ['10000000000000000', false],
    ['+100000000000000000000', false],
    ['-9007199254740991', false],
    ['9007199254740993', true],
    ['1152921504606846976', true],
    ['0x7fffffffffffffff', true],
    ['1'.repeat(400), true],
  ])('the integer %s is one that no double keeps as it is written: %s', (text, oversized) => {
    expect(parseYaml(text)).toMatchObject({ oversized });
  });

  test('a version directive changes nothing', () => {
    expect(read('%YAML 1.1\n---\na: yes\nb: 010')).toEqual({ a: 'yes', b: 10 });
  });
});

describe('aliases and merge keys', () => {
  test('a written key wins over a merged one, an earlier merged map over a later one', () => {
    expect(read('x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz: {<<: [*x, *y], c: 3}')).toMatchObject({
      z: { a: 1, b: 1, c: 3 },
    });
  });

  test('a quoted << is a key like any other', () => {
    expect(read('"<<": 1')).toEqual({ '<<': 1 });
  });

  test('an alias refers to the nearest earlier anchor of its name', () => {
    expect(read('a: &n 1\nb: *n\nc: &n 2\nd: *n')).toEqual({ a: 1, b: 1, c: 2, d: 2 });
  });
});

describe('what ends reading', () => {
  test.each([
    ['a: *b', 'yaml_syntax 3'],
    ['a: !x 1', 'yaml_syntax 6'],
    ['a: !!bool yes', 'yaml_syntax 10'],
    ['a: !!binary aGk=', 'yaml_syntax 12'],
    ['a: 1\n---\nb: 1', 'yaml_multiple_documents 5'],
    ['a: &x [*x]', 'yaml_limit 7'],
    ['# nothing', 'document_empty 0'],
    ['a: b\u0000c', 'yaml_syntax 4'],
    ['<<: 5', 'yaml_syntax 0'],
  ])('the document %j ends reading with the problem %s', (text, code) => {
    expect(fatal(text)).toBe(code);
  });

  test('a hundred levels are read, and one more is refused', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(fatal(nested(100))).toBe('none');
    expect(fatal(nested(101))).toMatch('yaml_limit');
    expect(fatal(`a: &a ${nested(60)}\nb: ${'['.repeat(40)}*a${']'.repeat(40)}`)).toMatch('yaml_limit');
  });

  test('one byte more than a mebibyte is refused, however it is counted', () => {
    const full = `${EXAMPLE}#`.padEnd(DOCUMENT_BYTES_MAX, '#');
    expect(readPack(full).valid).toBe(true);
    expect(readPack(`${full}#`).problems).toMatchObject([{ code: 'document_too_large', line: 1, column: 1 }]);
    const wide = '#'.padEnd(DOCUMENT_BYTES_MAX / 2, 'é');
    expect(readPack(wide).problems).toMatchObject([{ code: 'document_empty' }]);
    expect(readPack(`${wide}é`).problems).toMatchObject([{ code: 'document_too_large' }]);
  });

  test('bytes that are not UTF-8 are refused, a byte-order mark is not', () => {
    expect(readPack(new Uint8Array([0x61, 0xff])).problems).toMatchObject([
      { code: 'yaml_syntax', field: '' },
    ]);
    expect(readPack(new TextEncoder().encode(`\ufeff${EXAMPLE}`)).valid).toBe(true);
  });

  test.each([
    ['brackets', '['.repeat(DOCUMENT_BYTES_MAX)],
    ['dashes', '- '.repeat(DOCUMENT_BYTES_MAX / 2)],
    [
      'aliases of aliases',
      'abcdefgh'
        .replace(/./g, (c, i) => `${c}: &${c} [${`*${'_abcdefg'[i]},`.repeat(12)}]\n`)
        .replaceAll('*_', '1'),
    ],
    [
      'merges',
      `a: &a {${Array.from({ length: 999 }, (_, i) => `k${i}: 1`).join(', ')}}\nb:\n${'- {<<: *a}\n'.repeat(999)}`,
    ],
  ])('%s beyond the limits are refused at once', (_name, text) => {
    expect(fatal(text)).toMatch('yaml_limit');
  });
});

describe('places', () => {
  test('problems have the position of their text', () => {
    const text = [
      'pack: {slug: echo, name: 1.50, family: }',
      'base: &base',
      '  number: "1"',
      'version:',
      '  <<: *base',
      '  number: 2',
      '  number: 3',
      'challenges: [*base]',
    ].join('\n');
    expect(placedFindingsIn(text)).toEqual([
      '1:1 input_sets no_input_sets',
      '1:40 pack.family type_mismatch',
      '2:1 base unknown_key',
      '3:3 challenges[0].category required',
      '3:3 challenges[0].difficulty required',
      '3:3 challenges[0].key required',
      '3:3 challenges[0].number unknown_key',
      '3:3 challenges[0].title required',
      '5:3 version.evaluation_spec required',
      '7:3 version.number yaml_duplicate_key',
    ]);
  });

  test('columns count UTF-16 units', () => {
    expect(placedFindingsIn('{x-a: "😀", b: 1, b: 2}')).toContain('1:19 b yaml_duplicate_key');
  });
});
