import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { BLOB_PREFIXES, type BlobStore } from '../blob-store.js';

const sha256Of = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

function streamOf(bytes: Uint8Array, chunkBytes = 65_536): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    })(),
    { objectMode: false },
  );
}

interface Subject {
  blobs: () => BlobStore;
  /** The number of blobs that the store holds, and of other files left beside them. */
  count: () => Promise<number>;
  /** Has a blob look as if it was stored two days ago. */
  age: (sha256: string) => Promise<void>;
}

/** The guarantees of every blob store. */
export function blobStoreConformance(name: string, { blobs, count, age }: Subject): void {
  describe(`${name} as a blob store`, () => {
    test.each(['hello', '', 'a\u0000ß', '{"$ref":1}'])(
      'the store addresses %j by its sha256 and returns it',
      async (text) => {
        const stored = await blobs().put(text);
        expect(stored).toEqual({ sha256: sha256Of(text), bytes: Buffer.byteLength(text) });
        expect((await blobs().get(stored.sha256)).toString()).toBe(text);
        expect(await blobs().stat(stored.sha256)).toEqual(stored);
        expect(await blobs().has(stored.sha256)).toBe(true);
      },
    );

    test('the store keeps a stream of unknown length, and streams it back byte for byte', async () => {
      const bytes = randomBytes(3_000_000);
      const { sha256 } = await blobs().put(streamOf(bytes));
      expect((await bytesOf(await blobs().open(sha256))).equals(bytes)).toBe(true);
    });

    test.each([
      [0, 0],
      [0, 999],
      [999, 999],
      [10, 500],
    ])('the store reads the bytes %i to %i alone', async (start, end) => {
      const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 251));
      const { sha256 } = await blobs().put(bytes);
      const part = await bytesOf(await blobs().open(sha256, { start, end }));
      expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
    });

    test('the same bytes are stored once, also when they arrive at the same time', async () => {
      const bytes = randomBytes(100_000);
      const before = await count();
      const stored = await Promise.all(Array.from({ length: 10 }, () => blobs().put(streamOf(bytes))));
      await blobs().put(bytes);
      expect(new Set(stored.map(({ sha256 }) => sha256))).toEqual(new Set([sha256Of(bytes)]));
      expect(await count()).toBe(before + 1);
    });

    test('a source beyond its limit is rejected while streaming, and leaves nothing behind', async () => {
      const before = await count();
      let given = 0;
      const endless = Readable.from(
        (function* () {
          for (;;) {
            given += 1;
            yield Buffer.alloc(1_024, given);
          }
        })(),
      );
      await expect(blobs().put(endless, 10_000)).rejects.toMatchObject({ code: 'too_large' });
      expect(given).toBeLessThan(1_000);
      await expect(blobs().put(Buffer.alloc(11), 10)).rejects.toMatchObject({ code: 'too_large' });
      expect((await blobs().put(randomBytes(10), 10)).bytes).toBe(10);
      expect(await count()).toBe(before + 1);
    });

    test('a source that breaks off is not stored, and the store fails with its error', async () => {
      const before = await count();
      const broken = Readable.from(
        (function* () {
          yield randomBytes(100_000);
          throw new Error('the sender left');
        })(),
      );
      await expect(blobs().put(broken)).rejects.toThrow('the sender left');
      expect(await count()).toBe(before);
    });

    test('a blob can be removed, also twice, and stored again', async () => {
      const bytes = randomBytes(1_000);
      const { sha256 } = await blobs().put(bytes);
      await blobs().remove(sha256);
      await blobs().remove(sha256);
      await expect(blobs().stat(sha256)).rejects.toMatchObject({ code: 'not_found' });
      await blobs().put(bytes);
      expect((await blobs().get(sha256)).equals(bytes)).toBe(true);
    });

    test('the store lists all blobs by the first characters of their sha256, with bytes and time', async () => {
      const texts = Array.from({ length: 40 }, (_, at) => `listed ${at} ${'x'.repeat(at)}`);
      const stored = await Promise.all(texts.map((text) => blobs().put(text)));
      const listed = (await Promise.all(BLOB_PREFIXES.map((prefix) => blobs().list(prefix)))).flat();
      for (const blob of stored) {
        const { storedAt, ...found } = listed.find(({ sha256 }) => sha256 === blob.sha256) ?? {};
        expect(found).toEqual(blob);
        expect(Math.abs(Date.now() - Number(storedAt))).toBeLessThan(60_000);
      }
      const [first] = stored;
      const alike = await blobs().list(first?.sha256.slice(0, 2) ?? '');
      expect(alike.every(({ sha256 }) => sha256.slice(0, 2) === first?.sha256.slice(0, 2))).toBe(true);
    });

    test('the store removes blobs that are older than a time, and keeps newer ones', async () => {
      const { sha256 } = await blobs().put(randomBytes(100));
      expect(await blobs().removeStoredBefore(sha256, new Date(Date.now() - 60_000))).toBe(false);
      expect(await blobs().has(sha256)).toBe(true);
      expect(await blobs().removeStoredBefore(sha256, new Date(Date.now() + 60_000))).toBe(true);
      expect(await blobs().has(sha256)).toBe(false);
      expect(await blobs().removeStoredBefore(sha256, new Date(Date.now() + 60_000))).toBe(false);
    });

    test('old bytes that are stored again are kept, however removal and storage interleave', async () => {
      const bytes = randomBytes(1_000);
      for (let round = 0; round < 4; round += 1) {
        const { sha256 } = await blobs().put(bytes);
        await age(sha256);
        const before = new Date(Date.now() - 60_000);
        await Promise.all([blobs().removeStoredBefore(sha256, before), blobs().put(bytes)]);
        expect(await blobs().has(sha256)).toBe(true);
      }
    }, 30_000);

    test.each(['0'.repeat(64), '../../etc/passwd', 'A'.repeat(64), ''])(
      'the store has no blob "%s"',
      async (sha256) => {
        for (const method of ['get', 'open', 'stat'] as const) {
          await expect(blobs()[method](sha256)).rejects.toMatchObject({ code: 'not_found' });
        }
        expect(await blobs().has(sha256)).toBe(false);
      },
    );

    test('a stream can be closed before it was read to its end', async () => {
      const { sha256 } = await blobs().put(randomBytes(2_000_000));
      const content = await blobs().open(sha256);
      for await (const _first of content) break;
      expect(content.destroyed).toBe(true);
      const unread = await blobs().open(sha256);
      await new Promise((resolve) => unread.once('close', resolve).destroy());
    });

    test('a ping of the store succeeds', async () => {
      await expect(blobs().ping()).resolves.toBeUndefined();
    });
  });
}
