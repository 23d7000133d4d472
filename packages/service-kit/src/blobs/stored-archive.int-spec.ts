import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Blobs } from './blobs.js';
import { openArchive, putArchive } from './stored-archive.js';

const MIB = 1024 * 1024;

describe('a stored archive', () => {
  let folder: string;
  let blobs: Blobs;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-archive-'));
    blobs = await Blobs.inFolder(folder);
  });
  afterAll(async () => await rm(folder, { recursive: true, force: true }));

  async function* repeated(chunk: Buffer, times: number) {
    for (let index = 0; index < times; index += 1) yield chunk;
  }

  async function read(sha256: string): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of openArchive(blobs.evidence, sha256)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  test('a stored archive of a sparse file of 250 MiB takes some 1 MiB', async () => {
    const stored = await putArchive(blobs.evidence, repeated(Buffer.alloc(MIB), 250));
    expect(stored.bytes).toBeLessThan(1.5 * MIB);
    expect(await blobs.evidence.stat(stored.sha256)).toEqual(stored);
    let bytes = 0;
    for await (const chunk of openArchive(blobs.evidence, stored.sha256)) bytes += chunk.length;
    expect(bytes).toBe(250 * MIB);
  });

  test('a stored archive is read as it was written, and equal archives are one blob', async () => {
    const content = Buffer.from('workspace/a\0'.repeat(10_000));
    const stored = await putArchive(blobs.evidence, repeated(content, 3));
    expect((await read(stored.sha256)).equals(Buffer.concat([content, content, content]))).toBe(true);
    expect(await putArchive(blobs.evidence, repeated(content, 3))).toEqual(stored);
  });

  test('a stored archive of an earlier release is read without decompression', async () => {
    const content = Buffer.from('workspace/a\0'.repeat(100));
    const { sha256 } = await blobs.evidence.put(content);
    expect((await read(sha256)).equals(content)).toBe(true);
  });

  test('an archive whose source breaks off is not stored', async () => {
    async function* broken() {
      yield Buffer.alloc(MIB);
      throw new Error('the sandbox died');
    }
    await expect(putArchive(blobs.evidence, broken())).rejects.toThrow('the sandbox died');
  });

  test('a damaged archive fails while it is read', async () => {
    const { sha256 } = await blobs.evidence.put(Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8]));
    await expect(read(sha256)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });

  test('a missing archive is not found', async () => {
    await expect(read('0'.repeat(64))).rejects.toMatchObject({ code: 'not_found' });
  });
});
