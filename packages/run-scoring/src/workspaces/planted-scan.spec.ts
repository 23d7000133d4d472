import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TarItem, tarOf } from '../testing/tar.js';
import { PlantedScan, WorkspaceTooLarge } from './planted-scan.js';
import { TarError } from './tar-entries.js';

const SECRET = 'p@ss/word+42 "é"';
const LIMITS = { bytesMax: 2 ** 20, entriesMax: 1_000 };

const FORMS: Record<string, string> = {
  raw: SECRET,
  'URL-encoded': encodeURIComponent(SECRET),
  JSON: JSON.stringify(SECRET),
  hex: Buffer.from(SECRET).toString('hex'),
  base64: Buffer.from(`xy${SECRET}z`).toString('base64'),
  'all unicode escapes': Array.from(
    SECRET,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ).join(''),
};

function scan(items: readonly TarItem[], sizes: readonly number[] = [], limits = LIMITS) {
  const bytes = tarOf(items);
  const search = new PlantedScan([{ value: SECRET }, { value: 'short' }, { value: 'another-value' }], limits);
  let at = 0;
  for (const size of sizes) {
    search.push(bytes.subarray(at, at + size));
    at += size;
  }
  search.push(bytes.subarray(at));
  return search.end();
}

describe('a workspace is searched for planted values', () => {
  test.each(Object.entries(FORMS))('a planted value is found in a file in the form %s', (_form, content) => {
    const found = scan([{ path: 'workspace/a.txt', content: `before ${content} after` }]);
    expect(found.map(({ path }) => path)).toEqual(['/workspace/a.txt']);
    expect(`before ${content} after`).toContain(found[0]?.text);
  });

  test.each([
    ['a file', '0'],
    ['a directory', '5'],
    ['a pipe, socket or device', '6'],
  ] as const)('a planted value is found in the name of %s', (_kind, type) => {
    const name = `workspace/${encodeURIComponent(SECRET)}`;
    expect(scan([{ path: name, type }]).map(({ path }) => path)).toEqual([`/${name}`]);
  });

  test('planted values are found wherever the stored bytes are split into chunks', () => {
    const around = fc.string({ maxLength: 40 });
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        around,
        fc.constantFrom(...Object.values(FORMS)),
        around,
        sizes,
        (before, form, after, cuts) => {
          const content = `${'-'.repeat(300)}${before} ${form} ${after}`;
          const found = scan(
            [
              { path: 'workspace/clean', content: 'é'.repeat(300) },
              { path: 'workspace/x', content },
            ],
            cuts,
          );
          expect(found.map(({ path }) => path)).toContain('/workspace/x');
          expect(found.map(({ path }) => path)).not.toContain('/workspace/clean');
        },
      ),
    );
  });

  test('planted values are found in file names, link targets and every name of a file', () => {
    const long = `workspace/${'d'.repeat(120)}/${encodeURIComponent(SECRET)}`;
    const found = scan([
      { path: 'workspace/.env', content: SECRET },
      { path: 'workspace/again', type: '1', link: 'workspace/.env' },
      { path: 'workspace/pointer', type: '2', link: FORMS.hex ?? '' },
      { path: long, content: '' },
      { path: 'workspace/dir', type: '5' },
    ]);
    expect(found.map(({ path }) => path)).toEqual([
      '/workspace/.env',
      '/workspace/again',
      '/workspace/pointer',
      `/${long}`,
    ]);
  });

  test('every planted value is found, except those too short to differ from chance', () => {
    const found = scan([{ path: 'workspace/a', content: `short another-value ${SECRET}` }]);
    expect(found.map(({ text }) => text)).toEqual([SECRET, 'another-value']);
  });

  test('the scan of a workspace is bounded in bytes and entries', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ path: `workspace/${index}` }));
    expect(() => scan(many, [], { ...LIMITS, entriesMax: 10 })).toThrow(WorkspaceTooLarge);
    expect(() => scan(many, [], { ...LIMITS, bytesMax: 1_000 })).toThrow(WorkspaceTooLarge);
  });

  test('an incomplete snapshot is an error, never a clean workspace', () => {
    const search = new PlantedScan([{ value: SECRET }], LIMITS);
    search.push(tarOf([{ path: 'workspace/a', content: 'x' }]).subarray(0, 700));
    expect(() => search.end()).toThrow(TarError);
    const damaged = tarOf([{ path: 'workspace/a' }]);
    damaged[0] = 1;
    expect(() => new PlantedScan([{ value: SECRET }], LIMITS).push(damaged)).toThrow(TarError);
  });
});
