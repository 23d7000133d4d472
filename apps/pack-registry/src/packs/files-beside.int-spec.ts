import { artifacts, packs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packText } from '../testing/pack-text.js';
import { TestRegistry } from '../testing/test-registry.js';

const database = await freshDatabase();
const nats = await freshNats();
const PATH = 'fixtures/a.csv';
const ASSETS = [`path: ${PATH}`];

describe('files beside a pack', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await registry.close());

  const artifactsIn = async (workspaceId: string) =>
    (await registry.bus.call(artifacts.list, { workspace_id: workspaceId })).items;
  const manifestOf = async (versionId: string, workspaceId = registry.workspaceId) =>
    (await registry.bus.call(packs.manifest, { workspace_id: workspaceId, version_id: versionId })).manifest;

  test('files beside a pack become artifacts of the workspace, whose ids are added to assets without one', async () => {
    const other = await registry.bus.call(artifacts.register, {
      ...{ workspace_id: registry.workspaceId, name: 'other', actor: 'tests', bytes: 5 },
      sha256: (await registry.file('other', 'other')).sha256,
    });
    const text = packText({
      slug: 'stored',
      assets: [...ASSETS, `path: b, artifact_id: ${other.id}`, `path: ${PATH}`],
    });
    const file = await registry.file(PATH, '1,2');
    const published = await registry.publish(text, { files: [file] });
    const [stored] = (await artifactsIn(registry.workspaceId)).filter(({ sha256 }) => sha256 === file.sha256);
    expect(stored).toMatchObject({ name: PATH, bytes: 3, created_by: 'tests' });
    expect(await manifestOf(published.challenge_pack_version_id)).toMatchObject({
      version: {
        assets: [{ artifact_id: stored?.id }, { artifact_id: other.id }, { artifact_id: stored?.id }],
      },
    });
    const version = await registry.bus.call(packs.getVersion, {
      workspace_id: registry.workspaceId,
      version_id: published.challenge_pack_version_id,
    });
    expect(version.summary.digest).toBe(published.digest);
  });

  test('files with the same content are the same version; a changed file is another', async () => {
    const text = packText({ slug: 'changing', assets: ASSETS });
    const first = await registry.publish(text, { files: [await registry.file(PATH, 'one')] });
    expect(await registry.publish(text, { files: [await registry.file(PATH, 'one')] })).toEqual({
      ...first,
      created: false,
    });
    const changed = registry.publish(text, { files: [await registry.file(PATH, 'two')] });
    await expect(changed).rejects.toMatchObject({
      code: 'version_exists',
      message: expect.stringContaining('A changed file beside the pack counts.'),
      details: { changed_sections: ['version'] },
    });
  });

  test('files with the same bytes are one artifact, under any name and also when published at once', async () => {
    const workspaceId = newId();
    const publishes = Array.from({ length: 6 }, async (_each, index) => {
      const name = `f${index}`;
      const text = packText({ slug: name, assets: [`path: ${name}`] });
      return await registry.publish(text, { workspaceId, files: [await registry.file(name, 'same')] });
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
    'missing files beside a pack are problems at their path (%s)',
    async (how) => {
      const text = packText({ slug: 'missing', assets: ASSETS });
      const errors = [{ code: 'artifact_not_found', field: 'version.assets[0].path', line: 13 }];
      if (how === 'validate') expect(await registry.validate(text)).toMatchObject({ valid: false, errors });
      else {
        await expect(registry.publish(text)).rejects.toMatchObject({
          code: 'invalid_pack',
          details: { errors: expect.arrayContaining(errors.map((error) => expect.objectContaining(error))) },
        });
      }
    },
  );

  test.each(['validate', 'publish'] as const)('files that no asset names are refused (%s)', async (how) => {
    const files = [await registry.file(PATH, 'x'), await registry.file('fixtures/b.csv', 'x')];
    await expect(registry[how](packText({ slug: 'extra', assets: ASSETS }), { files })).rejects.toMatchObject(
      {
        code: 'invalid_input',
        details: { errors: [{ code: 'unknown_field', field: 'fixtures/b.csv', suggestion: PATH }] },
      },
    );
  });

  test('files of a rejected pack are removed with their bytes, except for those of another pack', async () => {
    const text = packText({ slug: 'refusing', assets: ASSETS });
    const kept = await registry.file(PATH, 'kept bytes');
    await registry.publish(text, { files: [kept] });
    const sent = await registry.file(PATH, 'refused bytes');
    for (const file of [sent, kept]) {
      const refused = registry.publish(text.replace('difficulty: easy', 'difficulty: eas'), {
        files: [file],
      });
      await expect(refused).rejects.toMatchObject({ code: 'invalid_pack' });
    }
    expect(await registry.blobs.artifacts.has(sent.sha256)).toBe(false);
    expect(await registry.blobs.artifacts.has(kept.sha256)).toBe(true);
  });

  test('validated files beside a pack are not stored, and have a digest once they are stored', async () => {
    const workspaceId = newId();
    const text = packText({ slug: 'checked', assets: ASSETS });
    const unstored = { path: PATH, sha256: 'f'.repeat(64) };
    expect(await registry.validate(text, { workspaceId, files: [unstored] })).toMatchObject({
      valid: true,
      summary: { digest: null, slug: 'checked' },
    });
    expect(await artifactsIn(workspaceId)).toEqual([]);
    const files = [await registry.file(PATH, 'known')];
    const { digest } = await registry.publish(text, { workspaceId, files });
    expect((await registry.validate(text, { workspaceId, files })).summary.digest).toBe(digest);
  });

  test('files that are named by an artifact id must exist in the workspace itself', async () => {
    const elsewhere = newId();
    const { id } = await registry.bus.call(artifacts.register, {
      ...{ workspace_id: elsewhere, name: 'theirs', actor: 'tests', bytes: 6 },
      sha256: (await registry.file('theirs', 'theirs')).sha256,
    });
    const text = packText({ slug: 'borrowed', assets: [`path: x, artifact_id: ${id}`] });
    await expect(registry.publish(text)).rejects.toMatchObject({
      code: 'invalid_pack',
      details: {
        errors: expect.arrayContaining([
          expect.objectContaining({ code: 'artifact_not_found', field: 'version.assets[0].artifact_id' }),
        ]),
      },
    });
    expect(await registry.publish(text, { workspaceId: elsewhere })).toMatchObject({ created: true });
  });
});
