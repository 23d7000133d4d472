import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BlobStore } from './blob-store.js';

describe('the blob store', () => {
  let folder: string;
  let blobs: BlobStore;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-blobs-'));
    blobs = new BlobStore(folder);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('addresses bytes by their sha256 and gives them back', async () => {
    const stored = await blobs.put('hello');
    expect(stored).toEqual({ sha256: createHash('sha256').update('hello').digest('hex'), bytes: 5 });
    expect((await blobs.get(stored.sha256)).toString()).toBe('hello');
  });

  test('stores the same bytes once, also when they come at the same time', async () => {
    const stored = await Promise.all(
      Array.from({ length: 10 }, () => blobs.put(Readable.from([Buffer.from('twice')]))),
    );
    expect(new Set(stored.map(({ sha256 }) => sha256)).size).toBe(1);
  });

  test('refuses more than it may take, while streaming, and leaves nothing behind', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1_024);
      })(),
    );
    await expect(blobs.put(endless, 10_000)).rejects.toMatchObject({ code: 'too_large' });
    expect(await readdir(path.join(folder, 'incoming'))).toEqual([]);
  });

  test.each(['0'.repeat(64), '../../etc/passwd', 'A'.repeat(64)])('has nothing under %s', async (sha256) => {
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'not_found' });
    await expect(blobs.open(sha256)).rejects.toMatchObject({ code: 'not_found' });
  });
});
