import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type BlobSource, type StoredBlob } from './blob-store.js';
import { chunksOf, Measure } from './measure.js';

/** Bytes with a known sha256, which can be read repeatedly for retries. */
export interface Spooled {
  stored: StoredBlob;
  body: () => Uint8Array | Readable;
}

/**
 * Passes the whole source to `use`, measured. Bytes stay in memory; a stream is buffered in a local file that is unlinked
 * once it is open, so that not even a crash leaves it behind.
 */
export async function spooled<T>(
  source: BlobSource,
  { folder, bytesMax }: { folder: string; bytesMax: number },
  use: (spooled: Spooled) => Promise<T>,
): Promise<T> {
  const measure = new Measure(bytesMax);
  if (typeof source === 'string' || source instanceof Uint8Array) {
    const bytes = Buffer.from(source);
    const stored = measure.add(bytes).result();
    return await use({ stored, body: () => bytes });
  }
  const file = await unlinkedFile(folder);
  try {
    for await (const chunk of measure.through(chunksOf(source))) await file.writeFile(chunk);
    const stored = measure.result();
    const body = () => file.createReadStream({ start: 0, autoClose: false });
    return await use({ stored, body });
  } finally {
    await file.close();
  }
}

async function unlinkedFile(folder: string): Promise<FileHandle> {
  const name = path.join(folder, `agentclash-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await rm(name);
  return file;
}
