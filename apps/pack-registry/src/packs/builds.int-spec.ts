import { artifacts, packs } from '@agentclash/contracts';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packText } from '../testing/pack-text.js';
import { TestRegistry } from '../testing/test-registry.js';

const database = await freshDatabase();
const nats = await freshNats();
const DOCKERFILE = 'environment/Dockerfile';
const PINNED = `FROM debian@sha256:${'ab'.repeat(32)}\nCOPY . /app\n`;

function text(slug: string, assets = [`path: ${DOCKERFILE}`, 'path: environment/a.txt']): string {
  const sandbox = `version:\n  sandbox: {dockerfile: ${DOCKERFILE}, run_as_root: true}`;
  return packText({ slug, assets }).replace('version:', sandbox).replace('prompt_eval', 'native');
}

describe('packs whose images are built', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await registry.close());

  const files = (dockerfile: string, other = 'a') =>
    Promise.all([registry.file(DOCKERFILE, dockerfile), registry.file('environment/a.txt', other)]);

  test('the Dockerfile and every file of its context are part of the digest', async () => {
    const first = await registry.publish(text('built'), { files: await files(PINNED) });
    expect(first.warnings).toEqual([]);
    const again = await registry.publish(text('built'), { files: await files(PINNED) });
    expect(again).toMatchObject({ created: false, digest: first.digest });
    for (const changed of [files(`${PINNED}RUN true\n`), files(PINNED, 'b')]) {
      await expect(registry.publish(text('built'), { files: await changed })).rejects.toMatchObject({
        code: 'version_exists',
      });
    }
    const { manifest } = await registry.bus.call(packs.manifest, {
      workspace_id: registry.workspaceId,
      version_id: first.challenge_pack_version_id,
    });
    expect(manifest).toMatchObject({
      sandbox: { dockerfile: DOCKERFILE, run_as_root: true },
      version: { assets: [{ path: DOCKERFILE, artifact_id: expect.any(String) }, {}] },
    });
  });

  test.each([
    ['without content', '', 'is empty'],
    ['without FROM', 'RUN true', 'names no image'],
    ['that is too large', `${PINNED}${'#'.repeat(65_536)}`, 'larger than 65536'],
  ])('a Dockerfile %s is refused with its place, and its files are not kept', async (_, content, message) => {
    const published = registry.publish(text('refused'), { files: await files(content, content.slice(0, 9)) });
    await expect(published).rejects.toMatchObject({
      code: 'invalid_pack',
      details: {
        errors: [
          {
            code: 'invalid_dockerfile',
            field: 'version.sandbox.dockerfile',
            line: 4,
            message: expect.stringContaining(message),
          },
        ],
      },
    });
  });

  test('an image by a tag is published with a warning at the name of its Dockerfile', async () => {
    const sent = await files('FROM debian:13\n');
    const reading = await registry.validate(text('tagged'), { files: sent });
    expect(reading).toMatchObject({ valid: true, warnings: [{ code: 'image_not_pinned', line: 4 }] });
    const published = await registry.publish(text('tagged'), { files: sent });
    expect(published.warnings).toMatchObject([{ code: 'image_not_pinned' }]);
  });

  test('a file that was not sent is reported at its asset', async () => {
    const [dockerfile] = await files(PINNED);
    const reading = await registry.validate(text('missing'), { files: [dockerfile] });
    expect(reading.errors).toMatchObject([{ code: 'artifact_not_found', field: 'version.assets[1].path' }]);
  });

  test('the sizes of stored artifacts count towards the bound of a context', async () => {
    const { sha256 } = await registry.file('large', 'large');
    const large = await registry.bus.call(artifacts.register, {
      ...{ workspace_id: registry.workspaceId, name: 'large', actor: 'tests', sha256 },
      bytes: 600 * 1024 ** 2,
    });
    const assets = [`path: ${DOCKERFILE}`, `path: environment/large, artifact_id: ${large.id}`];
    const sent = [await registry.file(DOCKERFILE, PINNED)];
    const reading = await registry.validate(text('large', assets), { files: sent });
    expect(reading.errors).toMatchObject([
      { code: 'context_too_large', field: 'version.sandbox.dockerfile' },
    ]);
  });
});
