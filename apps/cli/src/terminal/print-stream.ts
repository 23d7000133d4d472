import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Output } from './output.js';

/** Writes all of it to stdout, no faster than it is read; stops quietly when nobody reads on. */
export async function printStream(
  { stdout, unread }: Output,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  await pipeline(Readable.from(content), stdout, { end: false }).catch((error: unknown) => {
    if (!unread.aborted) throw error;
  });
}
