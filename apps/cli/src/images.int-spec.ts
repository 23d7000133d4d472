import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT_CODES } from '@agentclash/domain';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders } from './testing/command.js';

const NAME = 'images.invalid/team/tools';

let env: Record<string, string>;
beforeEach(() => {
  env = { SANDBOX_IMAGES_DIR: path.join(emptyFolder(), 'images'), SANDBOX_REGISTRIES: 'none' };
});
afterAll(removeFolders);

const image = (...words: string[]) => command(['image', ...words, '--json'], { env });

/** A layout with one image, and the reference of that. */
async function layout(options: { architecture?: string } = {}) {
  const { writeLayout } = await import('@agentclash/images/fixture');
  const directory = path.join(emptyFolder(), 'layout');
  const layers = [[{ name: 'app/given.txt', content: 'given\n' }]];
  const digest = await writeLayout(directory, { name: `${NAME}:v1`, layers, ...options });
  return { directory, reference: `${NAME}@${digest}` };
}

const isRoot = process.getuid?.() === 0;

(isRoot ? describe : describe.skip)('images of this machine (needs root)', () => {
  test('an image is loaded, listed, named by its tag and removed', async () => {
    const { directory, reference } = await layout();
    const loaded = await image('load', directory);
    expect(loaded).toMatchObject({ code: 0 });
    expect(JSON.parse(loaded.stdout)).toEqual({ references: [reference] });
    expect(JSON.parse((await image('list')).stdout)).toMatchObject({ items: [{ reference, bytes: 6 }] });
    expect(JSON.parse((await image('pull', `${NAME}:v1`)).stdout)).toMatchObject({ reference });
    expect(await image('remove', `${NAME}:v1`)).toMatchObject({ code: 0 });
    expect(JSON.parse((await image('list')).stdout)).toEqual({ items: [] });
    expect(await image('remove', reference)).toMatchObject({ code: EXIT_CODES.not_found });
  });

  test('a person sees the reference on stdout and nothing else there', async () => {
    const { directory, reference } = await layout();
    const { stdout, stderr } = await command(['image', 'load', directory], { env });
    expect(stdout).toBe(`${reference}\n`);
    expect(stderr).toContain('sandbox.image');
  });

  test('an image of a layout is pulled ahead by its tag', async () => {
    const { directory, reference } = await layout();
    env.SANDBOX_IMAGE_LAYOUTS = directory;
    expect(JSON.parse((await image('pull', `${NAME}:v1`)).stdout)).toEqual({ reference, bytes: 6 });
  });

  test.each([
    ['a path that does not exist', ['load', '/nowhere/tools.tar'], '/nowhere/tools.tar'],
    ['a name without an image', ['pull', 'images.invalid/other:v1'], 'images.invalid/other:v1'],
    ['a malformed reference', ['pull', 'Not A Name'], 'NAME@sha256:DIGEST'],
  ])('%s is an error with a next step', async (_title, words, part) => {
    const { code, stdout, stderr } = await image(...words);
    expect({ code, stdout }).toEqual({ code: EXIT_CODES.failed, stdout: '' });
    expect(stderr).toContain(part);
  });

  test('an image of another architecture is refused and leaves nothing', async () => {
    const { directory } = await layout({ architecture: 's390x' });
    const { code, stderr } = await image('load', directory);
    expect(code).toBe(EXIT_CODES.failed);
    expect(stderr).toContain('s390x');
    expect(JSON.parse((await image('list')).stdout)).toEqual({ items: [] });
  });

  test.each([
    ['docker', 'does not respond', { DOCKER_HOST: 'unix:///nowhere/docker.sock' }],
    ['kubernetes', 'preserve-digests', {}],
  ])('without a daemon or registry of %s the next step is named', async (provider, part, more) => {
    Object.assign(env, { SANDBOX_PROVIDER: provider, ...more });
    const { directory } = await layout();
    const { code, stderr } = await image('load', directory);
    expect(code).toBe(EXIT_CODES.unavailable);
    expect(stderr).toContain(part);
  });

  test('a file that is no archive is refused', async () => {
    const file = path.join(emptyFolder(), 'text.tar');
    writeFileSync(file, 'no archive');
    expect(await image('load', file)).toMatchObject({ code: EXIT_CODES.failed });
  });
});
