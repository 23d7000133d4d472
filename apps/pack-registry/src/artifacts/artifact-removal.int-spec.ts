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
import { RegistryWorld } from '../testing/registry-world.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('deleting an artifact', () => {
  let world: RegistryWorld;
  let orchestrator: BusConnection;
  let blobs: Blobs;
  /** What the orchestrator answers when it is asked who has a file; runs before it answers. */
  let users: () => Promise<ArtifactUser[]>;

  beforeAll(async () => {
    world = await RegistryWorld.start({ database: database.url, nats: nats.url });
    ({ blobs } = world);
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
    await world.close();
  });
  beforeEach(() => {
    users = async () => [];
  });

  const workspaces = () => ({ workspace_id: world.workspaceId });
  const store = async (content: string, name = 'a.txt', workspace_id = world.workspaceId) => {
    const { sha256, bytes } = await blobs.artifacts.put(content);
    return await world.bus.call(artifacts.register, { workspace_id, sha256, bytes, name, actor: 'tests' });
  };
  const remove = (artifact_id: string, workspace_id = world.workspaceId) =>
    world.bus.call(artifacts.remove, { workspace_id, artifact_id });
  const get = (id: string, reserve = false) =>
    world.bus.call(artifacts.getMany, { ...workspaces(), artifact_ids: [id], reserve });
  const hasBytes = (sha256: string) => blobs.artifacts.has(sha256);

  test('takes the row and the bytes, and cannot be done twice', async () => {
    const { id, sha256 } = await store('to be deleted');
    await remove(id);
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await hasBytes(sha256)).toBe(false);
    await expect(remove(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('leaves bytes that another name or another workspace has', async () => {
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

  test('never takes evidence, though it has the same bytes', async () => {
    const { id, sha256 } = await store('both');
    await blobs.evidence.put('both');
    await remove(id);
    expect((await blobs.evidence.get(sha256)).toString()).toBe('both');
  });

  test('is not for other workspaces', async () => {
    const { id } = await store('mine');
    await expect(remove(id, newId())).rejects.toMatchObject({ code: 'not_found' });
    expect((await get(id)).items).toHaveLength(1);
  });

  test('is refused for the assets and the bundle of a version, which is named', async () => {
    const { id } = await store('1,2', 'asset.csv');
    const text = packText({ slug: 'uses', assets: [`path: asset.csv, artifact_id: ${id}`] });
    const { challenge_pack_version_id: version_id, bundle_artifact_id } = await world.publish(text);
    const inUse = {
      code: 'artifact_in_use',
      message: 'The artifact is used by challenge pack uses version 1.',
      details: { challenge_pack_versions: [{ version_id, slug: 'uses', version_number: 1 }] },
    };
    await expect(remove(id)).rejects.toMatchObject(inUse);
    await expect(remove(bundle_artifact_id ?? '')).rejects.toMatchObject(inUse);
    const bundle = await world.bus.call(packs.bundle, { ...workspaces(), version_id });
    expect(Buffer.from(bundle.document_base64, 'base64').toString()).toBe(text);
  });

  test('is refused for what deployments and runs have, and the artifact is free again afterwards', async () => {
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

  test('is not done while nobody can say who has it', async () => {
    const { id } = await store('unsure');
    users = async () => {
      throw new ContractError('unavailable', 'away');
    };
    await expect(remove(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await get(id, true)).items).toHaveLength(1);
  });

  test('waits for whoever is about to refer to it', async () => {
    const { id } = await store('reserved');
    await get(id, true);
    await expect(remove(id)).rejects.toMatchObject({ code: 'artifact_in_use' });
    await database.query(
      `UPDATE packs.artifacts SET reserved_until = now() - interval '1 s' WHERE id = '${id}'`,
    );
    await remove(id);
  });

  test('lets nobody begin to refer to it once its users were asked for', async () => {
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

  test('gives way to a version that is published while its users are asked for', async () => {
    const { id, sha256 } = await store('late');
    users = async () => {
      await world.publish(packText({ slug: 'late', assets: [`path: late.csv, artifact_id: ${id}`] }));
      return [];
    };
    await expect(remove(id)).rejects.toMatchObject({
      code: 'artifact_in_use',
      message: expect.stringMatching(/late version 1/),
    });
    expect(await hasBytes(sha256)).toBe(true);
  });

  test('and storing the same bytes at the same time never leaves an artifact without bytes', async () => {
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

  test('shows in no list any more; lists are filtered by name and sum', async () => {
    const workspace_id = newId();
    const kept = await store('kept', '100% kept.txt', workspace_id);
    const gone = await store('gone', 'gone.txt', workspace_id);
    await remove(gone.id, workspace_id);
    const list = async (filter: object) =>
      (await world.bus.call(artifacts.list, { workspace_id, ...filter })).items.map(({ id }) => id);
    expect(await list({})).toEqual([kept.id]);
    expect(await list({ q: '100% K' })).toEqual([kept.id]);
    expect(await list({ q: '1%k' })).toEqual([]);
    expect(await list({ sha256: kept.sha256 })).toEqual([kept.id]);
    expect(await list({ sha256: gone.sha256 })).toEqual([]);
  });
});
