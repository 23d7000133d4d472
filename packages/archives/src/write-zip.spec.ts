import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openZip } from './read-zip.js';
import { type ZipEntry, zipBytes } from './write-zip.js';

async function* source(entries: readonly ZipEntry[]) {
  yield* entries;
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks) parts.push(part);
  return Buffer.concat(parts);
}

const entry = fc.record({
  name: fc.stringMatching(/^[a-zü]{1,8}(?:\/[a-zü-]{1,8})?$/u),
  content: fc.string(),
});
const entries = fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 5 });

describe('an archive that is written', () => {
  test('every archive is read back in its order, and the same entries are the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (written) => {
        const bytes = await whole(zipBytes(source(written)));
        expect(bytes.equals(await whole(zipBytes(source(written))))).toBe(true);
        const zip = await openZip(bytes);
        expect(zip.names).toEqual(written.map(({ name }) => name));
        for (const { name, content } of written) {
          expect(Buffer.from(await zip.read(name)).toString()).toBe(content);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('no more than a few entries are held at a time', async () => {
    let given = 0;
    async function* many() {
      for (given = 1; given <= 50; given += 1) yield { name: String(given), content: 'x'.repeat(200_000) };
    }
    const parts = zipBytes(many());
    await parts.next();
    expect(given).toBeLessThan(5);
    await parts.return();
  });

  test.each([['../a'], ['/a'], ['C:/a'], ['a', 'b', 'a']])(
    'an archive whose entries would be refused when it is read is not written: %s %s %s',
    async (...names) => {
      const written = names.map((name) => ({ name, content: 'x' }));
      await expect(whole(zipBytes(source(written)))).rejects.toThrow(/absolute|relative|twice/);
    },
  );

  test('a source that fails makes the archive fail, and an abandoned archive ends its source', async () => {
    async function* failing() {
      yield { name: 'a', content: 'x' };
      throw new Error('no more');
    }
    await expect(whole(zipBytes(failing()))).rejects.toThrow('no more');
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    async function* endless() {
      try {
        for (let at = 0; ; at += 1) yield { name: String(at), content: 'x'.repeat(100_000) };
      } finally {
        end();
      }
    }
    for await (const _part of zipBytes(endless())) break;
    await expect(ended).resolves.toBeUndefined();
  });
});
