import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { EgressError } from '../guard/errors.js';

/** The encodings that the client accepts. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

const CODINGS_MAX = 3;

// A compressed stream that a server ends early is read as far as it got, and events come through as they are sent.
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: Record<string, (firstByte: number) => Transform> = {
  gzip: () => createGunzip(ZLIB),
  'x-gzip': () => createGunzip(ZLIB),
  // Some servers mean the bare format; the zlib header decides which it is.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(ZLIB) : createInflateRaw(ZLIB)),
  br: () => createBrotliDecompress(BROTLI),
};

export interface BodyOptions {
  /** The response's Content-Encoding. */
  encoding: string;
  /** Bound on every stage: the wire, and what each coding unpacks to. */
  maxBytes: number;
  /** Receives the running total on the wire. */
  onWireBytes: (total: number) => void;
}

/**
 * The decompressed body, counted as it flows. Throws EgressError `response_too_large`, and `response_failed` for more
 * than three codings. A body in a coding we did not offer is passed through as it is.
 */
export async function* readBody(
  wire: AsyncIterable<Uint8Array>,
  { encoding, maxBytes, onWireBytes }: BodyOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > CODINGS_MAX) throw new EgressError('response_failed');
  let stage = counted(wire, maxBytes, onWireBytes);
  if (codings.every((coding) => Object.hasOwn(DECODERS, coding))) {
    for (const coding of codings.toReversed()) stage = counted(decoded(stage, coding), maxBytes);
  }
  yield* stage;
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onTotal: (total: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    onTotal(total);
    if (total > maxBytes) throw new EgressError('response_too_large');
    yield chunk;
  }
}

async function* decoded(
  source: AsyncIterable<Uint8Array>,
  coding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await firstChunk(chunks);
  if (first === undefined) return;
  const decoder = DECODERS[coding]?.(first[0] ?? 0);
  if (decoder === undefined) return;
  async function* whole() {
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  // Errors on either side destroy the other; the loop below sees them.
  pipeline(Readable.from(whole(), { objectMode: false }), decoder, () => {});
  yield* decoder;
}

async function firstChunk(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return undefined;
    if (value.length > 0) return value;
  }
}
