import type { Readable } from 'node:stream';
import { ContractError } from '@agentclash/contracts';

export interface StoredBlob {
  sha256: string;
  bytes: number;
}

/** A stored blob, and when its bytes were last stored: storing equal bytes again counts. */
export interface ListedBlob extends StoredBlob {
  storedAt: Date;
}

/** First and last byte, both included, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

export type BlobSource = Readable | Uint8Array | string;

/**
 * Bytes addressed by their sha256 (lower-case hex). Storing is atomic, and the same bytes are stored once. Every method
 * may fail with `unavailable`, which is retryable.
 */
export interface BlobStore {
  /** Streams `source` in. Fails with `too_large` beyond `bytesMax` and leaves nothing then. */
  put(source: BlobSource, bytesMax?: number): Promise<StoredBlob>;
  /** Fails with `not_found`. */
  get(sha256: string): Promise<Buffer>;
  /** Fails with `not_found` before the first byte. A range must lie within the bytes. */
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  has(sha256: string): Promise<boolean>;
  /** Fails with `not_found`. */
  stat(sha256: string): Promise<StoredBlob>;
  /** Idempotent. */
  remove(sha256: string): Promise<void>;
  /**
   * Removes a blob unless its bytes were stored at or after `before`, also when that happens meanwhile: who has just
   * stored bytes may be about to refer to them. Returns whether it was removed.
   */
  removeStoredBefore(sha256: string, before: Date): Promise<boolean>;
  /** All blobs whose sha256 begins with these two digits, in no order. */
  list(prefix: string): Promise<ListedBlob[]>;
  /** Fails when the store cannot be used now. */
  ping(): Promise<void>;
}

/** The first two digits of all sha256: a store is listed by them, one part after the other. */
export const BLOB_PREFIXES: readonly string[] = Array.from({ length: 256 }, (_, at) =>
  at.toString(16).padStart(2, '0'),
);

/** The path of a blob in its store. Fails with `not_found` for text that is no sha256, so that none becomes a path. */
export function keyOf(sha256: string): string {
  if (!isSha256(sha256)) throw new ContractError('not_found', 'That is no sha256.');
  return `sha256/${sha256.slice(0, 2)}/${sha256}`;
}

export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** True when `stat` finds the blob. */
export async function exists(stat: Promise<StoredBlob>): Promise<boolean> {
  try {
    await stat;
    return true;
  } catch (error) {
    if (error instanceof ContractError && error.code === 'not_found') return false;
    throw error;
  }
}

export function noSuchBlob(sha256: string, cause?: unknown): ContractError {
  return new ContractError('not_found', `No stored bytes with sha256 ${sha256}.`, {}, { cause });
}
