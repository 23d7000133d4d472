import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import type { JsonValue } from '../json.js';
import { digestOf } from '../publish/digest.js';
import { manifestOf } from '../publish/manifest.js';
import { EXAMPLE } from '../testing/example-pack.js';
import { RICH_EXAMPLE } from '../testing/rich-example.js';
import { A_CASE_OF_FILES, A_CONVERSATION, TOOL_WITH_SECRET } from '../testing/worked-examples.js';
import { readPack } from './read-pack.js';

const EXAMPLES = [EXAMPLE, RICH_EXAMPLE, A_CASE_OF_FILES, A_CONVERSATION, TOOL_WITH_SECRET];

type Holder = Record<string | number, unknown>;

/** Replacements for a value of a pack. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    ' ',
    '\u0085',
    '\uFEFF',
    'a\u0000b',
    '\uD83D\uDE00',
  ),
  fc.constantFrom(
    'constructor',
    '__proto__',
    'toString',
    '${secrets.K}',
    '{{a}}',
    '..',
    '/etc',
    'literal:',
    '(',
    '*',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

type How = 'delete' | 'repeat' | 'replace' | 'rename' | 'wrap';

const mutation = fc.record({
  /** Which node, as a share of all. */
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  how: fc.constantFrom<How>('delete', 'repeat', 'replace', 'rename', 'wrap'),
  value: strange,
  key: fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'x-y',
    'tools',
    'é',
    '<<',
    '0',
  ),
});

/** A valid pack with some nodes deleted, repeated, retyped, renamed or moved one level down. */
const mutated = fc
  .record({
    text: fc.constantFrom(...EXAMPLES),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 4 }),
  })
  .map(({ text, mutations }) => {
    const document: unknown = parse(text);
    for (const { at, how, value, key } of mutations) {
      const locations = locationsIn(document);
      const location = locations[Math.floor(at * locations.length)];
      if (!location) break;
      MUTATE[how](location, { value, key });
    }
    return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  });

interface Location {
  holder: Holder;
  key: string | number;
}

function locationsIn(value: unknown): Location[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(value).flatMap((name) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return [{ holder, key }, ...locationsIn(holder[key])];
  });
}

const MUTATE: Record<How, (location: Location, by: { value: unknown; key: string }) => void> = {
  delete: ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  repeat: ({ holder, key }, by) => {
    if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
    else own(holder, by.key, structuredClone(holder[key]));
  },
  replace: ({ holder, key }, by) => {
    holder[key] = by.value;
  },
  rename: ({ holder, key }, by) => {
    own(holder, by.key, holder[key]);
    delete holder[key];
  },
  wrap: ({ holder, key }, by) => {
    holder[key] = own({}, by.key, holder[key]);
  },
};

function own(holder: Holder, key: string, value: unknown): Holder {
  return Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The same document in another dress. */
const DRESSES: ((text: string) => string)[] = [
  (text) => `\uFEFF${text}`,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `%YAML 1.1\n---\n${text}`,
  (text) => `# é\n${text}\n...\n`,
];

/** Messages may name cases with their places, which move with the text around them. */
const names = (text: string | Uint8Array, strict = false) =>
  readPack(text, { strict }).problems.map(
    ({ field, code, message }) => `${field} ${code} ${message.replace(/\(\d+:\d+\)/g, '()')}`,
  );

describe('a pack with strange parts', () => {
  test('a pack with strange parts is read without throwing, twice the same, and strictly with the same problems', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const found = names(text);
        expect(names(text)).toEqual(found);
        expect(names(text, true)).toEqual(found);
      }),
      { numRuns: 60 },
    );
  });

  test('a valid pack with strange parts has a manifest that survives JSON, to the same digest', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const reading = readPack(text);
        if (!reading.valid) return;
        const manifest = manifestOf(reading.pack);
        const {
          schema_version: _,
          version,
          evaluation_spec,
          tool_policy,
          filesystem,
          sandbox,
          ...rest
        } = JSON.parse(JSON.stringify(manifest));
        const again = readPack(
          JSON.stringify({
            ...rest,
            version: { ...version, evaluation_spec, tool_policy, filesystem, sandbox },
          }),
        );
        if (!again.valid) throw new Error(JSON.stringify(again.problems));
        expect(digestOf(manifestOf(again.pack))).toBe(digestOf(manifest));
      }),
      { numRuns: 60 },
    );
  });

  test('a pack has the same problems with a byte-order mark, CRLF, a directive and an end mark', () => {
    fc.assert(
      fc.property(mutated, fc.constantFrom(...DRESSES), (text, dress) => {
        expect(names(dress(text))).toEqual(names(text));
      }),
      { numRuns: 40 },
    );
  });

  test('reading a pack with strange parts keeps prototypes as they are', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        readPack(text);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

describe('any bytes', () => {
  test('any bytes are read without throwing, and are valid only without an error', () => {
    const spliced = fc
      .tuple(fc.constantFrom(...EXAMPLES), fc.nat(500), fc.uint8Array({ maxLength: 8 }))
      .map(([text, at, bytes]) => {
        const source = new TextEncoder().encode(text);
        return Uint8Array.from([...source.slice(0, at), ...bytes, ...source.slice(at)]);
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), spliced), (bytes) => {
        const { valid, problems } = readPack(bytes);
        expect(valid).toBe(problems.every(({ severity }) => severity === 'warning'));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['invalid UTF-8', Uint8Array.of(0x70, 0x3a, 0xff, 0xfe)],
    ['an unpaired surrogate, as bytes', Uint8Array.of(0x70, 0x3a, 0xed, 0xa0, 0x80)],
    ['NUL', new TextEncoder().encode('a: "\u0000"')],
    ['a tab as indentation', new TextEncoder().encode('a:\n\tb: 1\n')],
  ])('bytes with %s are no YAML', (_what, bytes) => {
    expect(readPack(bytes).problems).toMatchObject([{ code: 'yaml_syntax', field: '' }]);
  });
});

describe('nesting', () => {
  test.each([
    ['lists', '[', ']'],
    ['maps', '{a: ', '}'],
  ])('nesting of %s is read to 100 levels and refused beyond, in bounded time', (_what, open, close) => {
    const nested = (levels: number) => `x-a: ${open.repeat(levels)}${close.repeat(levels)}\n${EXAMPLE}`;
    expect(readPack(nested(99)).problems).toEqual([]);
    for (const levels of [100, 1000, 10_000, 100_000]) {
      expect(readPack(nested(levels)).problems).toMatchObject([{ code: 'yaml_limit', field: '' }]);
    }
  });

  test('nesting in blocks and of aliases is limited as well', () => {
    const blocks = Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
    expect(readPack(blocks).problems).toMatchObject([{ code: 'yaml_limit' }]);
    const bomb = Array.from(
      { length: 30 },
      (_, i) => `x${i}: &a${i} [${i === 0 ? '1' : `*a${i - 1}, *a${i - 1}`}]\n`,
    );
    expect(readPack(bomb.join('')).problems).toMatchObject([{ code: 'yaml_limit' }]);
  });
});

test('a valid pack is a plain JSON document', () => {
  for (const text of EXAMPLES) {
    const reading = readPack(text);
    if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
    const manifest: JsonValue = JSON.parse(JSON.stringify(manifestOf(reading.pack)));
    expect(manifest).toEqual(manifestOf(reading.pack));
  }
});
