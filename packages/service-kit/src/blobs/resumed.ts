import type { Readable } from 'node:stream';
import type { ByteRange } from './blob-store.js';
import { unavailable } from './s3-failure.js';

/** How often in a row a connection may break without a single byte between. */
const BREAKS_MAX = 3;

/** The bytes of a range; when a connection breaks, the next one continues after the last received byte. */
export async function* resumed(
  { start, end }: ByteRange,
  first: Readable,
  read: (rest: ByteRange) => Promise<Readable>,
): AsyncGenerator<Buffer, void, undefined> {
  let at = start;
  let breaks = 0;
  for (let body = first; at <= end; body = await read({ start: at, end })) {
    let broken: unknown;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        at += chunk.length;
        breaks = 0;
        yield chunk;
      }
    } catch (error) {
      broken = error;
    }
    if (at > end) return;
    breaks += 1;
    if (breaks > BREAKS_MAX)
      throw unavailable(broken ?? new Error('the response was shorter than its content length'));
  }
}
