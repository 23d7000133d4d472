import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ContractError } from '@agentclash/contracts';

/** The sha256 of what nobody keeps. Fails with `too_large` beyond `bytesMax`. */
export async function hashOf(content: Readable, bytesMax: number): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new ContractError('too_large', `A file may hold at most ${bytesMax} bytes.`);
    hash.update(chunk);
  }
  return hash.digest('hex');
}
