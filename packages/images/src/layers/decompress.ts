import { pipeline } from 'node:stream';
import * as zlib from 'node:zlib';
import { createGunzip } from 'node:zlib';
import { invalidImage } from '../image-error.js';

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** The tar file of a layer, by its first bytes: media types are not always true. Throws `invalid_image`. */
export async function* decompressed(
  chunks: AsyncIterable<Uint8Array>,
  of: string,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const rest = async function* () {
    if (!first.done) yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  const head: Uint8Array = first.done ? new Uint8Array() : first.value;
  const decoder = decoderOf(head, of);
  if (decoder === undefined) {
    yield* rest();
    return;
  }
  let cause: unknown;
  const decoded = pipeline(rest, decoder, (error) => {
    cause = error ?? undefined;
  });
  try {
    yield* decoded as AsyncIterable<Uint8Array>;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (/^(Z_|ERR_ZSTD|ZSTD_)/.test(code))
      throw invalidImage(`${of} cannot be decompressed: ${(error as Error).message}`);
    throw cause ?? error;
  }
}

function decoderOf(head: Uint8Array, of: string) {
  if (beginsWith(head, GZIP)) return createGunzip();
  if (!beginsWith(head, ZSTD)) return undefined;
  // Since Node.js 22.15.
  if (typeof zlib.createZstdDecompress === 'function') return zlib.createZstdDecompress();
  throw invalidImage(
    `${of} is compressed with zstd, which this Node.js cannot read`,
    'use Node.js 22.15 or newer',
  );
}

function beginsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
