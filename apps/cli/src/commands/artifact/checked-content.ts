import { createHash } from 'node:crypto';
import type { Artifact } from '@agentclash/api';
import { CommandError } from '../../command-error.js';

/** The chunks as they come; fails after the last when they are not the bytes of the artifact. */
export async function* checkedContent(
  chunks: AsyncIterable<Uint8Array>,
  { id, sha256, bytes }: Pick<Artifact, 'id' | 'sha256' | 'bytes'>,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  let received = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    received += chunk.length;
    onProgress?.(received);
    yield chunk;
  }
  if (hash.digest('hex') === sha256) return;
  const came = received === bytes ? 'other bytes' : `${received} of ${bytes} bytes`;
  throw new CommandError('try_again', `What came is not ${id}: ${came}`, { hint: 'Download it again.' });
}
