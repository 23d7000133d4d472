import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openZip, ZipError } from './read-zip.js';
import { zipOf } from './testing/fixture.js';

const open = openZip;

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((caught: unknown) => caught);
  if (!(error instanceof ZipError)) throw new Error(`no error of an archive: ${String(error)}`);
  return `${error.entry} ${error.message}`.trim();
}

describe('a zip archive', () => {
  test.each([0, 8])('the entries of an archive packed by method %d are read', async (method) => {
    const zip = await open(
      zipOf([
        { name: 'b/c.json', content: 'ü'.repeat(5_000), method },
        { name: 'a', content: '', method },
      ]),
    );
    expect(zip.names).toEqual(['b/c.json', 'a']);
    expect(new TextDecoder().decode(await zip.read('b/c.json'))).toBe('ü'.repeat(5_000));
    expect(await zip.read('a')).toHaveLength(0);
  });

  test.each(['../outside', '/etc/passwd', 'a/../../b', 'C:/x', 'a\\..\\b'])(
    'an archive with the entry %s is refused',
    async (name) => {
      expect(await messageOf(open(zipOf([{ name, content: 'x' }])))).toMatch(/absolute|relative|characters/);
    },
  );

  test('an entry that unpacks to more than it states, or than is allowed, is refused without unpacking it', async () => {
    const bomb = 'x'.repeat(5_000_000);
    const honest = await open(zipOf([{ name: 'a', content: bomb }]), { entryBytes: 100_000 });
    expect(await messageOf(honest.read('a'))).toContain('too large');
    const lying = await open(zipOf([{ name: 'a', content: bomb, size: 10 }]), { entryBytes: 100_000 });
    expect(await messageOf(lying.read('a'))).toContain('too large');
    const many = await open(
      zipOf([
        { name: 'a', content: 'x'.repeat(600) },
        { name: 'b', content: 'x'.repeat(600) },
      ]),
      {
        totalBytes: 1_000,
      },
    );
    await many.read('a');
    expect(await messageOf(many.read('b'))).toContain('too large');
  });

  test('an entry that unpacks to hundreds of times its size is refused, whatever it states, and text is not', async () => {
    const bomb = 'x'.repeat(20_000_000);
    const message = 'a unpacks to more than 200 times its size';
    expect(await messageOf((await open(zipOf([{ name: 'a', content: bomb }]))).read('a'))).toBe(message);
    const lying = await open(zipOf([{ name: 'a', content: bomb, size: 10 }]));
    expect(await messageOf(lying.read('a'))).toBe(message);
    const text = Array.from({ length: 300_000 }, (_each, index) => `line ${index}\n`).join('');
    const honest = await open(zipOf([{ name: 'a', content: text }]));
    expect(await honest.read('a')).toHaveLength(text.length);
  });

  test('an entry whose content was changed is refused by its checksum', async () => {
    const bytes = zipOf([{ name: 'a', content: 'content', method: 0 }]);
    const at = Buffer.from(bytes).indexOf('content');
    bytes[at] = 0x43;
    expect(await messageOf((await open(bytes)).read('a'))).toContain('damaged');
  });

  test('repeated entries, too many entries, unknown methods and missing entries are refused', async () => {
    const twice = zipOf([
      { name: 'a', content: '1' },
      { name: 'a', content: '2' },
    ]);
    expect(await messageOf(open(twice))).toContain('twice');
    expect(await messageOf(open(twice, { entries: 1 }))).toContain('more than 1 entries');
    const strange = await open(zipOf([{ name: 'a', content: '1', method: 12 }]));
    expect(await messageOf(strange.read('a'))).toContain('method');
    expect(await messageOf(strange.read('b'))).toBe('b is not in the archive');
  });

  test('arbitrary bytes and damaged archives are read, or refused as an error of the archive', async () => {
    const whole = zipOf([
      { name: 'samples/1.json', content: '{"id": 1}' },
      { name: 'header.json', content: '{}' },
    ]);
    const damaged = fc
      .array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), {
        minLength: 1,
        maxLength: 4,
      })
      .map((changes) => {
        const bytes = Uint8Array.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        return bytes;
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, fc.uint8Array({ maxLength: 80 })), async (bytes) => {
        const read = async () => {
          const zip = await open(bytes);
          for (const name of zip.names) await zip.read(name);
        };
        const error = await read().catch((caught: unknown) => caught);
        if (error !== undefined) expect(error).toBeInstanceOf(ZipError);
      }),
      { numRuns: 300 },
    );
  });
});
