import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ContractError } from '@agentclash/contracts';

export interface StoredBlob {
  sha256: string;
  bytes: number;
}

/**
 * Bytes addressed by their sha256 (lower-case hex), in a folder. Storing is atomic (written aside, then renamed) and the
 * same bytes are stored once.
 */
export class BlobStore {
  constructor(private readonly folder: string) {}

  /** Streams `source` in. Fails with `too_large` beyond `bytesMax` and leaves nothing then. */
  async put(source: Readable | Uint8Array | string, bytesMax = Number.MAX_SAFE_INTEGER): Promise<StoredBlob> {
    const aside = path.join(this.folder, 'incoming', randomUUID());
    await mkdir(path.dirname(aside), { recursive: true });
    const hash = createHash('sha256');
    let bytes = 0;
    const measure = async function* (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > bytesMax)
          throw new ContractError('too_large', `A file may hold at most ${bytesMax} bytes.`);
        hash.update(chunk);
        yield chunk;
      }
    };
    try {
      await pipeline(chunksOf(source), measure, createWriteStream(aside, { mode: 0o600 }));
      const sha256 = hash.digest('hex');
      const target = this.pathOf(sha256);
      await mkdir(path.dirname(target), { recursive: true });
      await rename(aside, target);
      return { sha256, bytes };
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  /** Fails with `not_found`. */
  async get(sha256: string): Promise<Buffer> {
    return await readFile(this.pathOf(sha256)).catch((cause) => {
      throw missing(sha256, cause);
    });
  }

  /** Fails with `not_found` before the first byte. */
  async open(sha256: string): Promise<Readable> {
    await this.stat(sha256);
    return createReadStream(this.pathOf(sha256));
  }

  async stat(sha256: string): Promise<StoredBlob> {
    const found = await stat(this.pathOf(sha256)).catch((cause) => {
      throw missing(sha256, cause);
    });
    return { sha256, bytes: found.size };
  }

  private pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new ContractError('not_found', 'That is no sha256.');
    return path.join(this.folder, 'sha256', sha256.slice(0, 2), sha256);
  }
}

function chunksOf(source: Readable | Uint8Array | string): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (typeof source === 'string') return [Buffer.from(source)];
  return source instanceof Uint8Array ? [source] : source;
}

function missing(sha256: string, cause: unknown): ContractError {
  return new ContractError('not_found', `No stored bytes with sha256 ${sha256}.`, {}, { cause });
}
