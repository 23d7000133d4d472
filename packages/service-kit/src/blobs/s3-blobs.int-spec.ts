import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { FakeS3 } from '@agentclash/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { S3Settings } from './blob-settings.js';
import { Blobs } from './blobs.js';
import { blobStoreConformance } from './testing/conformance.js';

let server: FakeS3;
let spoolFolder: string;
let blobs: Blobs;

const settings = (changes: Partial<S3Settings> = {}): S3Settings => ({
  kind: 's3',
  bucket: server.bucket,
  prefix: 'clash/',
  region: 'us-east-1',
  endpoint: server.endpoint,
  forcePathStyle: true,
  credentials: server.credentials,
  spoolFolder,
  ...changes,
});

beforeAll(async () => {
  server = await FakeS3.start();
  spoolFolder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-spool-'));
  blobs = await Blobs.open(settings());
});
afterAll(async () => {
  blobs.close();
  await server.close();
  await rm(spoolFolder, { recursive: true, force: true });
});

blobStoreConformance('a bucket', {
  blobs: () => blobs.artifacts,
  count: async () => server.objects.size + (await readdir(spoolFolder)).length,
  age: async (sha256) => {
    const key = `clash/artifacts/sha256/${sha256.slice(0, 2)}/${sha256}`;
    server.storedAt.set(key, new Date(Date.now() - 172_800_000));
  },
});

describe('a bucket of blobs', () => {
  afterEach(() => server.recover());

  test('the bucket has the blobs under the prefix, artifacts and evidence apart', async () => {
    const { sha256 } = await blobs.evidence.put('apart');
    expect(server.objects.has(`clash/evidence/sha256/${sha256.slice(0, 2)}/${sha256}`)).toBe(true);
    await expect(blobs.artifacts.stat(sha256)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each(['busy', 'broken_off'] as const)(
    'a read of the bucket continues when the server is %s for a moment',
    async (failure) => {
      const bytes = randomBytes(500_000);
      const { sha256 } = await blobs.evidence.put(bytes);
      server.fail('GET', failure, 2);
      expect((await blobs.evidence.get(sha256)).equals(bytes)).toBe(true);
    },
  );

  test('the bucket stores a stream although it was busy for longer than the client repeats by itself', async () => {
    const bytes = randomBytes(500_000);
    server.fail('PUT', 'busy', 2);
    const { sha256 } = await blobs.evidence.put(Readable.from([bytes]));
    expect((await blobs.evidence.get(sha256)).equals(bytes)).toBe(true);
  });

  test('a read of the bucket fails with unavailable, which is retryable, while the server stays busy', async () => {
    server.fail('PUT', 'busy', 100);
    const source = randomBytes(1_000);
    const before = server.objects.size;
    await expect(blobs.evidence.put(Readable.from([source]))).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.objects.size).toBe(before);
    expect(await readdir(spoolFolder)).toEqual([]);
  });

  test.each<[string, () => Partial<S3Settings>]>([
    ['refuses connections', () => ({ endpoint: 'http://127.0.0.1:9' })],
    ['refuses the credentials', () => ({ credentials: { accessKeyId: 'other', secretAccessKey: 'x' } })],
    ['has no such bucket', () => ({ bucket: 'elsewhere' })],
  ])('the bucket is not ready when the server %s', async (_why, changes) => {
    const other = await Blobs.open(settings(changes()));
    await expect(other.ping()).rejects.toThrow();
    await expect(other.evidence.put('x')).rejects.toMatchObject({ code: 'unavailable' });
    other.close();
  });
});
