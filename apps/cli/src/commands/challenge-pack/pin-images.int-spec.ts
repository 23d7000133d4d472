import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { routes } from '@agentclash/api';
import { EXIT_CODES } from '@agentclash/domain';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders } from '../../testing/command.js';
import { useFakeApi } from '../../testing/fake-api.js';

type TestRegistry = Awaited<ReturnType<typeof import('@agentclash/images/fixture').serveLayout>>;

const pack = (image: string, more = '') => `
pack: {slug: capitals, name: Capitals, family: trivia}
version:
  number: 1
  sandbox: {image: ${image}, run_as_root: true}
  evaluation_spec:
    name: capitals
    version_number: 1
    judge_mode: deterministic
    validators: [{key: v, type: contains, target: final_output, expected_from: "literal:x"}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: c, title: C, category: geo, difficulty: easy, instructions: Hi${more}}]
input_sets: [{key: s, name: S, cases: [{challenge_key: c, case_key: one, payload: {}}]}]
`;

const ID = '0199c1d0-0000-7000-8000-000000000001';

describe('images by a tag', () => {
  const { api, env } = useFakeApi();
  const registries: TestRegistry[] = [];
  let digest = '';
  let layout = '';

  beforeEach(() => {
    api.reset();
    api.on(routes.packs.publish, () => ({
      ...{ created: true, challenge_pack_id: ID, challenge_pack_version_id: ID, evaluation_spec_id: ID },
      ...{ input_set_ids: [ID], input_sets: [{ id: ID, key: 's' }], bundle_artifact_id: ID },
      ...{ version_number: 1, digest: 'sha256:00', warnings: [] },
    }));
  });
  afterEach(() => {
    for (const registry of registries.splice(0)) registry.close();
  });
  afterAll(removeFolders);

  async function registry(options: { architecture?: string; needsLogin?: boolean } = {}): Promise<string> {
    const { architecture, needsLogin } = options;
    const { serveLayout, writeLayout } = await import('@agentclash/images/fixture');
    layout = path.join(emptyFolder(), 'layout');
    const layers = [[{ name: 'a', content: 'a' }]];
    const name = 'images.invalid/team/app:v1';
    digest = await writeLayout(layout, { name, layers, ...(architecture && { architecture }) });
    const opened = await serveLayout(layout, needsLogin ? { username: 'user', password: 'pass' } : undefined);
    registries.push(opened);
    return `${opened.host}/team/app`;
  }

  async function publish(text: string, more: Record<string, string> = { OPERATOR_UNLOCK: '127.0.0.0/8' }) {
    const folder = emptyFolder();
    writeFileSync(path.join(folder, 'pack.yaml'), text);
    return await command(['challenge-pack', 'publish', 'pack.yaml'], {
      cwd: folder,
      env: { ...env, ...more },
    });
  }

  test('a tag is published as the digest that its registry has, wherever it is written', async () => {
    const name = await registry();
    const text = pack(`"${name}:v1"`, `, sandbox: {image: ${name}:v1}`);
    const { code, stderr } = await publish(text);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(`${name}@${digest}`) });
    const expected = pack(`"${name}@${digest}"`, `, sandbox: {image: ${name}@${digest}}`);
    expect(api.seen[0]?.body).toContain(expected.trim());
  });

  test('a tag of a layout of the operator needs no registry', async () => {
    await registry();
    const { code } = await publish(pack('images.invalid/team/app:v1'), {
      SANDBOX_IMAGE_LAYOUTS: layout,
      SANDBOX_REGISTRIES: 'none',
    });
    expect(code).toBe(0);
    expect(api.seen[0]?.body).toContain(`image: images.invalid/team/app@${digest},`);
  });

  test('a pack with digests alone is sent as it is, without a request to any registry', async () => {
    const name = await registry();
    const text = pack(`${name}@sha256:${'ab'.repeat(32)}`);
    expect(await publish(text)).toMatchObject({ code: 0 });
    expect(api.seen[0]?.body).toContain(text.trim());
    expect(registries[0]?.requests).toEqual([]);
  });

  test.each<[string, Parameters<typeof registry>[0], string, string, number]>([
    ['does not exist', {}, ':v2', 'there is no image', EXIT_CODES.usage],
    ['needs a login', { needsLogin: true }, ':v1', 'SANDBOX_REGISTRY_CREDENTIALS', EXIT_CODES.usage],
    ['is for another architecture', { architecture: 's390x' }, ':v1', 'is for linux/s390x', EXIT_CODES.usage],
  ])('an image that %s is refused with its place and the next step, and nothing is sent', async (...row) => {
    const [, options, tag, message, exit] = row;
    const name = await registry(options);
    const { code, stderr } = await publish(pack(`${name}${tag}`));
    expect(code).toBe(exit);
    expect(stderr).toContain('pack.yaml:5:20 version.sandbox.image');
    expect(stderr).toContain(message);
    expect(api.seen).toEqual([]);
  });

  test('a registry that cannot be reached is unavailable, and a private one is not reached unless the operator allows it', async () => {
    const refused = await publish(pack('127.0.0.1:9/team/app:v1'));
    expect(refused).toMatchObject({ code: EXIT_CODES.unavailable });
    expect(refused.stderr).toContain('cannot be reached');
    const name = await registry();
    const guarded = await publish(pack(`${name}:v1`), {});
    expect(guarded).toMatchObject({ code: EXIT_CODES.unavailable });
    expect(registries[0]?.requests).toEqual([]);
    expect(api.seen).toEqual([]);
  });

  test('validate accepts a tag with a warning that publishing pins it', async () => {
    const folder = emptyFolder();
    writeFileSync(path.join(folder, 'pack.yaml'), pack('debian:13'));
    const { code, stdout } = await command(['challenge-pack', 'validate', 'pack.yaml'], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain('publishing pins the digest');
  });
});
