import { createHash } from 'node:crypto';
import { invalidImage } from '../image-error.js';

/** Passes on what has this digest and size, and throws `invalid_image` at the first byte too many or at the end. */
export async function* verified(
  chunks: AsyncIterable<Uint8Array>,
  { digest, size }: { digest: string; size?: number },
  of: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (size !== undefined && bytes > size)
      throw invalidImage(`${of} is larger than the ${size} bytes it should have`);
    hash.update(chunk);
    yield chunk;
  }
  if (size !== undefined && bytes < size) throw invalidImage(`${of} ends after ${bytes} of ${size} bytes`);
  const found = `sha256:${hash.digest('hex')}`;
  if (found !== digest) throw invalidImage(`${of} has the digest ${found}, and should have ${digest}`);
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Throws `invalid_image` when there is more. */
export async function whole(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
  of: string,
): Promise<Buffer> {
  const all: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw invalidImage(`${of} is larger than ${bytesMax} bytes`);
    all.push(chunk);
  }
  return Buffer.concat(all);
}

/** Passes on what it reports the size of. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  report: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    report(chunk.length);
    yield chunk;
  }
}
