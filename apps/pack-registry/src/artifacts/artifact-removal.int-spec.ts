import { BusConnection } from '@agentclash/bus';
import {
  type ArtifactUser,
  artifacts,
  artifactUsers,
  ContractError,
  listenSubject,
  packs,
} from '@agentclash/contracts';
import { type Blobs, newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { packText } from '../testing/pack-text.js';
import { TestRegistry } from '../testing/test-registry.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('deleting an artifact', () => {
  let registry: TestRegistry;
  let orchestrator: BusConnection;
  let blobs: Blobs;
  /** The orchestrator's reply to the query for the users of a file; called before it replies. */
  let users: () => Promise<ArtifactUser[]>;

  beforeAll(async () => {
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
    ({ blobs } = registry);
    orchestrator = await BusConnection.open({ servers: [nats.url], name: 'run-orchestrator' });
    orchestrator.nats.subscribe(listenSubject(artifactUsers.list), {
      callback: (_error, request) => {
        void users().then(
          (items) => request.respond(JSON.stringify({ ok: true, data: { items } })),
          ({ code, message }: ContractError) =>
            request.respond(JSON.stringify({ ok: false, error: { code, message, details: {} } })),
        );
      },
    });
  });
  afterAll(async () => {
    await orchestrator.close();
    await registry.close();
  });
  beforeEach(() => {
    users = async () => [];
  });

  const workspaces = () => ({ workspace_id: registry.workspaceId });
  const store = async (content: string, name = 'a.txt', workspace_id = registry.workspaceId) => {
    const { sha256, bytes } = await blobs.artifacts.put(content);
    return await registry.bus.call(artifacts.register, { workspace_id, sha256, bytes, name, actor: 'tests' });
  };
  const remove = (artifact_id: string, workspace_id = registry.workspaceId) =>
    registry.bus.call(artifacts.remove, { workspace_id, artifact_id });
  const get = (id: string, reserve = false) =>
    registry.bus.call(artifacts.getMany, { ...workspaces(), artifact_ids: [id], reserve });
  const hasBytes = (sha256: string) => blobs.artifacts.has(sha256);

  test('a deletion removes the row and the bytes, and fails the second time', async () => {
    const { id, sha256 } = await store('to be deleted');
    await remove(id);
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await hasBytes(sha256)).toBe(false);
    await expect(remove(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a deletion keeps bytes that another name or another workspace uses', async () => {
    const one = await store('shared', 'one');
    const two = await store('shared', 'two');
    const other = newId();
    const elsewhere = await store('shared', 'one', other);
    await remove(one.id);
    await remove(two.id);
    expect(await hasBytes(one.sha256)).toBe(true);
    await remove(elsewhere.id, other);
    expect(await hasBytes(one.sha256)).toBe(false);
  });

  test('a deletion never removes evidence with the same bytes', async () => {
    const { id, sha256 } = await store('both');
    await blobs.evidence.put('both');
    await remove(id);
    expect((await blobs.evidence.get(sha256)).toString()).toBe('both');
  });

  test('a deletion fails for artifacts of other workspaces', async () => {
    const { id } = await store('mine');
    await expect(remove(id, newId())).rejects.toMatchObject({ code: 'not_found' });
    expect((await get(id)).items).toHaveLength(1);
  });

  test('a deletion fails for the assets and the bundle of a version, and names it', async () => {
    const { id } = await store('1,2', 'asset.csv');
    const text = packText({ slug: 'uses', assets: [`path: asset.csv, artifact_id: ${id}`] });
    const { challenge_pack_version_id: version_id, bundle_artifact_id } = await registry.publish(text);
    const inUse = {
      code: 'artifact_in_use',
      message: 'The artifact is used by challenge pack uses version 1.',
      details: { challenge_pack_versions: [{ version_id, slug: 'uses', version_number: 1 }] },
    };
    await expect(remove(id)).rejects.toMatchObject(inUse);
    await expect(remove(bundle_artifact_id ?? '')).rejects.toMatchObject(inUse);
    const bundle = await registry.bus.call(packs.bundle, { ...workspaces(), version_id });
    expect(Buffer.from(bundle.document_base64, 'base64').toString()).toBe(text);
  });

  test('a deletion fails while deployments or runs use the artifact, and releases its claim', async () => {
    const { id } = await store('solve');
    const user: ArtifactUser = { kind: 'deployment', id: newId(), name: 'solver' };
    users = async () => [user, { kind: 'run', id: 'r', name: null }];
    await expect(remove(id)).rejects.toMatchObject({
      code: 'artifact_in_use',
      message: 'The artifact is used by deployment "solver", run r.',
      details: { users: [user, {}] },
    });
    expect((await get(id, true)).items).toHaveLength(1);
  });

  test('a deletion fails while the users of the artifact cannot be queried', async () => {
    const { id } = await store('unsure');
    users = async () => {
      throw new ContractError('unavailable', 'away');
    };
    await expect(remove(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await get(id, true)).items).toHaveLength(1);
  });

  test('a deletion fails while the artifact is reserved for a new reference', async () => {
    const { id } = await store('reserved');
    await get(id, true);
    await expect(remove(id)).rejects.toMatchObject({ code: 'artifact_in_use' });
    await database.query(
      `UPDATE packs.artifacts SET reserved_until = now() - interval '1 s' WHERE id = '${id}'`,
    );
    await remove(id);
  });

  test('a deletion rejects new reservations once the users of the artifact were queried', async () => {
    const { id } = await store('claimed');
    let reserved: Promise<unknown> = Promise.resolve();
    users = async () => {
      reserved = get(id, true);
      await reserved.catch(() => undefined);
      return [];
    };
    await remove(id);
    await expect(reserved).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a deletion yields to a version that is published while the users are queried', async () => {
    const { id, sha256 } = await store('late');
    users = async () => {
      await registry.publish(packText({ slug: 'late', assets: [`path: late.csv, artifact_id: ${id}`] }));
      return [];
    };
    await expect(remove(id)).rejects.toMatchObject({
      code: 'artifact_in_use',
      message: expect.stringMatching(/late version 1/),
    });
    expect(await hasBytes(sha256)).toBe(true);
  });

  test('a deletion during storing of the same bytes never leaves an artifact without bytes', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { id, sha256 } = await store('contended', `n${round}`);
      const [, stored] = await Promise.allSettled([remove(id), store('contended', `m${round}`)]);
      if (stored.status === 'rejected') {
        expect(stored.reason).toMatchObject({ code: 'conflict' });
        continue;
      }
      expect(await hasBytes(sha256)).toBe(true);
      await remove(stored.value.id);
    }
  });

  test('a deletion removes the artifact from lists, which filter by name and digest', async () => {
    const workspace_id = newId();
    const kept = await store('kept', '100% kept.txt', workspace_id);
    const gone = await store('gone', 'gone.txt', workspace_id);
    await remove(gone.id, workspace_id);
    const list = async (filter: object) =>
      (await registry.bus.call(artifacts.list, { workspace_id, ...filter })).items.map(({ id }) => id);
    expect(await list({})).toEqual([kept.id]);
    expect(await list({ q: '100% K' })).toEqual([kept.id]);
    expect(await list({ q: '1%k' })).toEqual([]);
    expect(await list({ sha256: kept.sha256 })).toEqual([kept.id]);
    expect(await list({ sha256: gone.sha256 })).toEqual([]);
  });
});
