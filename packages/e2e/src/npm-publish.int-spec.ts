import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Ended, repository, runNode, runProgram, StackFolder } from './product.js';
import { PackageRegistry } from './testing/package-registry.js';

jest.setTimeout(120_000);

const folder = new StackFolder();
const archive = path.join(folder.path, 'sums-1.2.3.tgz');
let registry: PackageRegistry;

beforeAll(async () => {
  registry = await PackageRegistry.start();
  const host = registry.url.slice('http:'.length);
  writeFileSync(
    path.join(folder.path, 'npmrc'),
    `registry=${registry.url}\n${host}:_authToken=${registry.token}\n`,
  );
});
afterAll(() => {
  registry.close();
  folder.remove();
});

async function pack(content: string, version = '1.2.3'): Promise<void> {
  const packed = path.join(folder.path, 'package');
  mkdirSync(packed, { recursive: true });
  writeFileSync(path.join(packed, 'package.json'), JSON.stringify({ name: 'sums', version }));
  writeFileSync(path.join(packed, 'index.js'), content);
  const { code } = await runProgram('tar', ['-czf', archive, '-C', folder.path, 'package'], { folder });
  expect(code).toBe(0);
}

/** The step of the release's workflow for the command. */
async function publish(): Promise<Ended> {
  const words = [path.join(repository, 'infra/release/publish.mjs'), archive, '--access', 'public'];
  return await runNode(words, { folder, env: { NPM_CONFIG_USERCONFIG: path.join(folder.path, 'npmrc') } });
}

test('a version is published once: with the same content it is left as it is, with other content it is an error', async () => {
  await pack('export default 1;\n');
  const first = await publish();
  expect(first).toMatchObject({ code: 0 });
  expect(registry.published).toEqual(['sums']);
  const again = await publish();
  expect(again).toMatchObject({ code: 0, stdout: 'sums@1.2.3 is published already with the same content\n' });
  await pack('export default 2;\n');
  const changed = await publish();
  expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('with other content') });
  expect(registry.published).toEqual(['sums']);
});

test('a registry that cannot be read ends the step with its reason, and nothing is published', async () => {
  const settings = path.join(folder.path, 'unreachable-npmrc');
  writeFileSync(settings, 'registry=http://127.0.0.1:1/\nfetch-retries=0\n');
  const words = [path.join(repository, 'infra/release/publish.mjs'), archive];
  const ended = await runNode(words, { folder, env: { NPM_CONFIG_USERCONFIG: settings } });
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm view sums@1.2.3 ended with 1'),
  });
});

test('a prerelease is published beside the latest version, which npm installs as before', async () => {
  await pack('export default 3;\n', '1.3.0-rc.1');
  expect(await publish()).toMatchObject({ code: 0 });
  expect(registry.tagsOf('sums')).toEqual({ latest: '1.2.3', next: '1.3.0-rc.1' });
});
