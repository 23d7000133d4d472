import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { artifacts } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestRegistry } from '../testing/test-registry.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('bytes without an artifact', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
  });
  afterAll(() => registry.close());

  const put = async (text: string) => await registry.blobs.artifacts.put(text);
  const has = (sha256: string) => registry.blobs.artifacts.has(sha256);
  const register = async (text: string) => {
    const { sha256, bytes } = await put(text);
    const artifact = { workspace_id: registry.workspaceId, sha256, bytes, name: 'a.txt', actor: 'tests' };
    return await registry.bus.call(artifacts.register, artifact);
  };
  const age = async (sha256: string) => {
    const then = new Date(Date.now() - 172_800_000);
    await utimes(path.join(registry.folder, 'artifacts/sha256', sha256.slice(0, 2), sha256), then, then);
  };
  const sweep = (dry_run: boolean) => registry.bus.call(artifacts.sweep, { dry_run, from: 0 });

  test('bytes of a failed request are dropped, unless an artifact has them', async () => {
    const [{ sha256: left }, { sha256: kept }] = [await put(newId()), await register(newId())];
    await registry.bus.call(artifacts.discard, { sha256s: [left, kept, left] });
    expect(await has(left)).toBe(false);
    expect(await has(kept)).toBe(true);
  });

  test('old bytes without an artifact are removed by a sweep, and counted; bytes that are missing are named', async () => {
    const [old, young] = [await put(newId()), await put(newId())];
    const [kept, lost] = [await register(newId()), await register(newId())];
    for (const { sha256 } of [old, kept]) await age(sha256);
    await registry.blobs.artifacts.remove(lost.sha256);
    const counts = {
      young: 1,
      removed: 1,
      removed_bytes: old.bytes,
      missing: 1,
      missing_sha256: [lost.sha256],
    };
    expect(await sweep(true)).toMatchObject({ ...counts, next: null });
    expect(await has(old.sha256)).toBe(true);
    expect(await sweep(false)).toMatchObject(counts);
    expect(await has(old.sha256)).toBe(false);
    expect(await has(young.sha256)).toBe(true);
    expect(await has(kept.sha256)).toBe(true);
    expect(await sweep(false)).toMatchObject({ removed: 0, missing: 1 });
  });
});
