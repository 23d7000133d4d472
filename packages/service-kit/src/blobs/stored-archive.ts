import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { BlobStore, StoredBlob } from './blob-store.js';

/** The fastest level: it removes the zeros and similar headers between the files of an archive. */
const LEVEL = 1;
/** As large as other chunks of stored bytes: a reader may take each to another thread. */
const CHUNK_BYTES = 262_144;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Stores a tar archive compressed; equal archives are equal blobs. The size is that of the stored bytes. */
export async function putArchive(
  store: Pick<BlobStore, 'put'>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<StoredBlob> {
  const gzip = createGzip({ level: LEVEL });
  const [stored, compressed] = await Promise.allSettled([
    store.put(gzip),
    pipeline(Readable.from(chunks), gzip),
  ]);
  if (stored.status === 'rejected') throw stored.reason;
  if (compressed.status === 'rejected') throw compressed.reason;
  return stored.value;
}

/** The bytes of a tar archive, whether it was stored compressed or, by an earlier release, as it is. */
export async function* openArchive(
  store: Pick<BlobStore, 'open'>,
  sha256: string,
): AsyncGenerator<Uint8Array> {
  const isCompressed = (await headOf(store, sha256)).equals(GZIP_MAGIC);
  const source = await store.open(sha256);
  if (!isCompressed) return yield* source;
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const read = pipeline(source, gunzip);
  // Its failure ends the iteration below too.
  read.catch(() => undefined);
  yield* gunzip;
}

async function headOf(store: Pick<BlobStore, 'open'>, sha256: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await store.open(sha256, { start: 0, end: GZIP_MAGIC.length - 1 })) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
