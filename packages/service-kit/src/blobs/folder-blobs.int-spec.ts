import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Blobs } from './blobs.js';
import { FolderBlobs } from './folder-blobs.js';
import { blobStoreConformance } from './testing/conformance.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-blobs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

blobStoreConformance('a folder', {
  blobs: () => new FolderBlobs(path.join(folder, 'conformance')),
  count: async () => {
    const entries = await readdir(path.join(folder, 'conformance'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  },
  age: async (sha256) => {
    const file = path.join(folder, 'conformance', 'sha256', sha256.slice(0, 2), sha256);
    const then = new Date(Date.now() - 172_800_000);
    await utimes(file, then, then);
  },
});

describe('a folder of blobs', () => {
  test('a sweep removes half-written files of dead writers from the folder, and nothing else', async () => {
    const incoming = path.join(folder, 'artifacts', 'incoming');
    await mkdir(incoming, { recursive: true });
    await writeFile(path.join(incoming, 'old'), 'half');
    await utimes(path.join(incoming, 'old'), new Date(0), new Date(0));
    await writeFile(path.join(incoming, 'new'), 'half');
    await Blobs.inFolder(folder);
    expect(await readdir(incoming)).toEqual(['new']);
  });

  test('the folder keeps artifacts and evidence apart, also when their bytes are the same', async () => {
    const { artifacts, evidence } = await Blobs.inFolder(folder);
    const { sha256 } = await evidence.put('the same');
    await artifacts.put('the same');
    await artifacts.remove(sha256);
    expect((await evidence.get(sha256)).toString()).toBe('the same');
  });

  test('the folder loses no bytes that are stored again at the moment when they are removed for their age', async () => {
    const blobs = new FolderBlobs(path.join(folder, 'race'));
    const bytes = 'stored again and again';
    const { sha256 } = await blobs.put(bytes);
    const file = path.join(folder, 'race', 'sha256', sha256.slice(0, 2), sha256);
    for (let round = 0; round < 400; round += 1) {
      await utimes(file, new Date(0), new Date(0));
      const stored = blobs.put(bytes);
      for (let tick = 0; tick < round % 40; tick += 1) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([stored, blobs.removeStoredBefore(sha256, new Date(Date.now() - 60_000))]);
      expect(await blobs.has(sha256)).toBe(true);
    }
  });

  test('a folder that cannot be created fails its readiness check', async () => {
    await writeFile(path.join(folder, 'file'), '');
    const blobs = await Blobs.inFolder(path.join(folder, 'file'));
    await expect(blobs.ping()).rejects.toThrow();
  });
});
