import { artifacts, packs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packText } from '../testing/pack-text.js';
import { RegistryWorld } from '../testing/registry-world.js';

const database = await freshDatabase();
const nats = await freshNats();
const PATH = 'fixtures/a.csv';
const ASSETS = [`path: ${PATH}`];

describe('files beside a pack', () => {
  let world: RegistryWorld;

  beforeAll(async () => {
    world = await RegistryWorld.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await world.close());

  const artifactsIn = async (workspaceId: string) =>
    (await world.bus.call(artifacts.list, { workspace_id: workspaceId })).items;
  const manifestOf = async (versionId: string, workspaceId = world.workspaceId) =>
    (await world.bus.call(packs.manifest, { workspace_id: workspaceId, version_id: versionId })).manifest;

  test('become artifacts of the workspace, whose ids stand in the assets that have none', async () => {
    const other = await world.bus.call(artifacts.register, {
      ...{ workspace_id: world.workspaceId, name: 'other', actor: 'tests', bytes: 5 },
      sha256: (await world.file('other', 'other')).sha256,
    });
    const text = packText({
      slug: 'stored',
      assets: [...ASSETS, `path: b, artifact_id: ${other.id}`, `path: ${PATH}`],
    });
    const file = await world.file(PATH, '1,2');
    const published = await world.publish(text, { files: [file] });
    const [stored] = (await artifactsIn(world.workspaceId)).filter(({ sha256 }) => sha256 === file.sha256);
    expect(stored).toMatchObject({ name: PATH, bytes: 3, created_by: 'tests' });
    expect(await manifestOf(published.challenge_pack_version_id)).toMatchObject({
      version: {
        assets: [{ artifact_id: stored?.id }, { artifact_id: other.id }, { artifact_id: stored?.id }],
      },
    });
    const version = await world.bus.call(packs.getVersion, {
      workspace_id: world.workspaceId,
      version_id: published.challenge_pack_version_id,
    });
    expect(version.summary.digest).toBe(published.digest);
  });

  test('that are the same are the same version; a changed one is another', async () => {
    const text = packText({ slug: 'changing', assets: ASSETS });
    const first = await world.publish(text, { files: [await world.file(PATH, 'one')] });
    expect(await world.publish(text, { files: [await world.file(PATH, 'one')] })).toEqual({
      ...first,
      created: false,
    });
    const changed = world.publish(text, { files: [await world.file(PATH, 'two')] });
    await expect(changed).rejects.toMatchObject({
      code: 'version_exists',
      message: expect.stringContaining('A changed file beside the pack counts.'),
      details: { changed_sections: ['version'] },
    });
  });

  test('with the same bytes are one artifact, whatever they are called and however many come at once', async () => {
    const workspaceId = newId();
    const publishes = Array.from({ length: 6 }, async (_each, index) => {
      const name = `f${index}`;
      const text = packText({ slug: name, assets: [`path: ${name}`] });
      return await world.publish(text, { workspaceId, files: [await world.file(name, 'same')] });
    });
    const versions = await Promise.all(publishes);
    const sent = (await artifactsIn(workspaceId)).filter(({ name }) => /^f\d$/.test(name));
    expect(sent).toHaveLength(1);
    for (const { challenge_pack_version_id: id } of versions) {
      expect(await manifestOf(id, workspaceId)).toMatchObject({
        version: { assets: [{ artifact_id: sent[0]?.id }] },
      });
    }
  });

  test.each(['validate', 'publish'] as const)(
    'that are missing are problems at their path (%s)',
    async (how) => {
      const text = packText({ slug: 'missing', assets: ASSETS });
      const errors = [{ code: 'artifact_not_found', field: 'version.assets[0].path', line: 13 }];
      if (how === 'validate') expect(await world.validate(text)).toMatchObject({ valid: false, errors });
      else {
        await expect(world.publish(text)).rejects.toMatchObject({
          code: 'invalid_pack',
          details: { errors: expect.arrayContaining(errors.map((error) => expect.objectContaining(error))) },
        });
      }
    },
  );

  test.each(['validate', 'publish'] as const)('that no asset names are refused (%s)', async (how) => {
    const files = [await world.file(PATH, 'x'), await world.file('fixtures/b.csv', 'x')];
    await expect(world[how](packText({ slug: 'extra', assets: ASSETS }), { files })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ code: 'unknown_field', field: 'fixtures/b.csv', suggestion: PATH }] },
    });
  });

  test('of a refused pack are forgotten, bytes included, but for what another pack has', async () => {
    const text = packText({ slug: 'refusing', assets: ASSETS });
    const kept = await world.file(PATH, 'kept bytes');
    await world.publish(text, { files: [kept] });
    const sent = await world.file(PATH, 'refused bytes');
    for (const file of [sent, kept]) {
      const refused = world.publish(text.replace('difficulty: easy', 'difficulty: eas'), { files: [file] });
      await expect(refused).rejects.toMatchObject({ code: 'invalid_pack' });
    }
    expect(await world.blobs.artifacts.has(sent.sha256)).toBe(false);
    expect(await world.blobs.artifacts.has(kept.sha256)).toBe(true);
  });

  test('leave nothing behind when they are validated, and tell the digest once they are known', async () => {
    const workspaceId = newId();
    const text = packText({ slug: 'checked', assets: ASSETS });
    const unstored = { path: PATH, sha256: 'f'.repeat(64) };
    expect(await world.validate(text, { workspaceId, files: [unstored] })).toMatchObject({
      valid: true,
      summary: { digest: null, slug: 'checked' },
    });
    expect(await artifactsIn(workspaceId)).toEqual([]);
    const files = [await world.file(PATH, 'known')];
    const { digest } = await world.publish(text, { workspaceId, files });
    expect((await world.validate(text, { workspaceId, files })).summary.digest).toBe(digest);
  });

  test('an artifact id must exist in the workspace itself', async () => {
    const elsewhere = newId();
    const { id } = await world.bus.call(artifacts.register, {
      ...{ workspace_id: elsewhere, name: 'theirs', actor: 'tests', bytes: 6 },
      sha256: (await world.file('theirs', 'theirs')).sha256,
    });
    const text = packText({ slug: 'borrowed', assets: [`path: x, artifact_id: ${id}`] });
    await expect(world.publish(text)).rejects.toMatchObject({
      code: 'invalid_pack',
      details: {
        errors: expect.arrayContaining([
          expect.objectContaining({ code: 'artifact_not_found', field: 'version.assets[0].artifact_id' }),
        ]),
      },
    });
    expect(await world.publish(text, { workspaceId: elsewhere })).toMatchObject({ created: true });
  });
});
