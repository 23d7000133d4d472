import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { isJsonObject } from '../json.js';
import type { Manifest } from '../pack/model.js';
import { digestOf } from '../publish/digest.js';
import { manifestOf } from '../publish/manifest.js';
import { EXAMPLE } from '../testing/example-pack.js';
import { RICH_EXAMPLE } from '../testing/rich-example.js';
import { compareCodePoints } from '../text/code-points.js';
import { readPack } from './read-pack.js';

/** The document whose manifest this is. */
function authored({
  schema_version,
  version,
  evaluation_spec,
  tool_policy,
  filesystem,
  sandbox,
  ...rest
}: Manifest) {
  return { ...rest, version: { ...version, evaluation_spec, tool_policy, filesystem, sandbox } };
}

function manifestIn(text: string): Manifest {
  const reading = readPack(text);
  if (!reading.valid) throw new Error(JSON.stringify(reading.problems, null, 1));
  return manifestOf(reading.pack);
}

describe('a valid pack', () => {
  test.each([
    ['small', EXAMPLE],
    ['rich', RICH_EXAMPLE],
  ])('a pack that is read again from its manifest has the same digest (%s)', (_name, text) => {
    const manifest = manifestIn(text);
    expect(digestOf(manifestIn(stringify(authored(manifest), { lineWidth: 0 })))).toBe(digestOf(manifest));
  });

  test('the order of keys and the spelling of scalars do not change the digest of a pack', () => {
    const digest = digestOf(manifestIn(RICH_EXAMPLE));
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, member]) => [key, reversed(member)]),
      );
    };
    const json = JSON.stringify(reversed(parse(RICH_EXAMPLE)));
    expect(digestOf(manifestIn(json))).toBe(digest);
  });
});

/** Documents that are nearly packs: one with some of its lines or characters changed. */
const damaged = fc
  .record({
    text: fc.constantFrom(EXAMPLE, RICH_EXAMPLE),
    cuts: fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.nat(12),
        insert: fc.oneof(
          fc.constantFrom(
            '',
            '~',
            '[]',
            '{}',
            '- ',
            ': ',
            '"',
            '*x',
            '&x ',
            '<<: ',
            '\n',
            '{{a}}',
            '${secrets.K}',
          ),
          fc.string({ maxLength: 6 }),
        ),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ text, cuts }) =>
    cuts.reduce((changed, { at, length, insert }) => {
      const start = Math.floor(at * changed.length);
      return changed.slice(0, start) + insert + changed.slice(start + length);
    }, text),
  );

const anyText = fc.oneof(
  damaged,
  fc.string(),
  fc.json().map((json) => `pack: ${json}\nversion: ${json}\ninput_sets: ${json}`),
);

describe('any text', () => {
  test('any text is read without throwing, and is valid exactly when no problem is an error', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const reading = readPack(text);
        expect(reading.valid).toBe(reading.problems.every(({ severity }) => severity === 'warning'));
        expect(reading.pack !== undefined).toBe(reading.valid);
      }),
      { numRuns: 150 },
    );
  });

  test('any text has its problems in document order, each at a place of the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = text.split('\n').length;
        const { problems } = readPack(text);
        for (const [index, problem] of problems.entries()) {
          expect(problem.line).toBeLessThanOrEqual(lines);
          expect(problem.column).toBeGreaterThanOrEqual(1);
          const before = problems[index - 1];
          if (!before) continue;
          const order =
            before.line - problem.line ||
            before.column - problem.column ||
            compareCodePoints(before.field, problem.field) ||
            compareCodePoints(before.code, problem.code);
          expect(order).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 80 },
    );
  });

  test('any text has the same problems when read strictly, all of them errors', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const strict = readPack(text, { strict: true }).problems;
        expect(strict.every(({ severity }) => severity === 'error')).toBe(true);
        const name = ({ code, field, message }: (typeof strict)[number]) => `${field} ${code} ${message}`;
        expect(strict.map(name)).toEqual(readPack(text).problems.map(name));
      }),
      { numRuns: 80 },
    );
  });

  test('a valid text has a manifest whose digest does not depend on reading it twice', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const reading = readPack(text);
        if (!reading.valid) return;
        const manifest = manifestOf(reading.pack);
        expect(digestOf(manifestIn(stringify(authored(manifest), { lineWidth: 0 })))).toBe(
          digestOf(manifest),
        );
      }),
      { numRuns: 120 },
    );
  });
});
