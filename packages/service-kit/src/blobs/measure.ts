import { createHash } from 'node:crypto';
import { ContractError } from '@agentclash/contracts';
import { formatBytes } from '@agentclash/domain';
import type { BlobSource, StoredBlob } from './blob-store.js';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Counts and hashes the bytes that pass; fails with `too_large` at the first byte beyond `bytesMax`. */
export class Measure {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(private readonly bytesMax: number) {}

  readonly through = async function* (this: Measure, chunks: Chunks) {
    for await (const chunk of chunks) {
      this.add(chunk);
      yield chunk;
    }
  }.bind(this);

  add(chunk: Uint8Array): this {
    this.bytes += chunk.length;
    if (this.bytes > this.bytesMax)
      throw new ContractError('too_large', `A file may hold at most ${formatBytes(this.bytesMax)}.`);
    this.hash.update(chunk);
    return this;
  }

  /** Call once, after the last byte. */
  result(): StoredBlob {
    return { sha256: this.hash.digest('hex'), bytes: this.bytes };
  }
}

export function chunksOf(source: BlobSource): Chunks {
  if (typeof source === 'string') return [Buffer.from(source)];
  return source instanceof Uint8Array ? [source] : source;
}
