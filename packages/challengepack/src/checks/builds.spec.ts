import { expect, test } from '@jest/globals';
import { manifestOf } from '../publish/manifest.js';
import { type ReadOptions, readPack } from '../read/read-pack.js';
import { EXAMPLE, findingsIn, problemsIn, set } from '../testing/example-pack.js';
import { patched } from '../testing/vectors/patch.js';

const PINNED = `FROM debian@sha256:${'ab'.repeat(32)}\n`;
const DOCKERFILE = 'environment/Dockerfile';
const CASE = 'input_sets.0.cases.0';

const asset = (path: string, key = path) => ({ key, path });
const built = (more: object = {}) => set('version.sandbox', { dockerfile: DOCKERFILE, ...more });
const withAssets = (...paths: string[]) =>
  set(
    'version.assets',
    paths.map((path) => asset(path)),
  );

/** The files beside the pack. */
function beside(files: Readonly<Record<string, string>>): ReadOptions {
  return {
    fileExists: (path) => path in files,
    fileBytes: ({ path = '' }) => files[path]?.length,
    fileText: (path) => files[path],
  };
}

test('the version, a challenge and a case may each name a Dockerfile among the assets that they see, and its folder is used', () => {
  const patches = [
    built({ run_as_root: true, build_network_access: true }),
    withAssets(DOCKERFILE, 'environment/lib/a.txt'),
    set('challenges.0.sandbox', { dockerfile: './environment//Dockerfile' }),
    set(`${CASE}.assets`, [asset('own/Containerfile'), asset('own/b.txt')]),
    set(`${CASE}.sandbox`, { dockerfile: 'own/Containerfile' }),
  ];
  const files = {
    [DOCKERFILE]: PINNED,
    'environment/lib/a.txt': '',
    'own/Containerfile': PINNED,
    'own/b.txt': 'b',
  };
  expect(findingsIn(patches, beside(files))).toEqual([]);
  const { pack } = readPack(patched(EXAMPLE, patches));
  if (pack === undefined) throw new Error('the pack was not read');
  expect(manifestOf(pack).sandbox).toEqual({
    dockerfile: DOCKERFILE,
    build_network_access: true,
    run_as_root: true,
  });
});

test('a Dockerfile that no visible asset has is an unknown reference, with the asset that was probably meant', () => {
  const [problem, ...more] = problemsIn([built(), withAssets('environment/Dockerfiles')]);
  expect(more).toEqual([]);
  expect(problem).toMatchObject({
    code: 'unknown_reference',
    field: 'version.sandbox.dockerfile',
    message: expect.stringContaining('declare it'),
    suggestion: 'environment/Dockerfiles',
  });
  const ofCase = [set(`${CASE}.assets`, [asset(DOCKERFILE)]), built()];
  expect(findingsIn(ofCase)).toContain('version.sandbox.dockerfile unknown_reference');
});

test('a Dockerfile in the folder of the pack is refused: its context would be every file of the pack', () => {
  const [problem] = problemsIn([
    set('version.sandbox', { dockerfile: 'Dockerfile' }),
    withAssets('Dockerfile'),
  ]);
  expect(problem).toMatchObject({
    code: 'malformed',
    message: expect.stringContaining('a folder of its own'),
  });
});

test.each<[string, Record<string, string>, string, string]>([
  ['that is not there', {}, 'version.assets[0].path artifact_not_found', 'no such file'],
  ['without content', { [DOCKERFILE]: '' }, 'version.sandbox.dockerfile invalid_dockerfile', 'is empty'],
  ['without FROM', { [DOCKERFILE]: 'RUN true' }, 'version.sandbox.dockerfile invalid_dockerfile', 'FROM'],
  [
    'of more than 64 KiB',
    { [DOCKERFILE]: PINNED + '#'.repeat(65_536) },
    'version.sandbox.dockerfile invalid_dockerfile',
    'larger than 65536',
  ],
  [
    'from a tag',
    { [DOCKERFILE]: 'FROM debian:13\n' },
    'version.sandbox.dockerfile image_not_pinned',
    'agentclash image pull debian:13',
  ],
])('a Dockerfile %s is reported at its place', (_, files, finding, message) => {
  const [problem, ...more] = problemsIn([built(), withAssets(DOCKERFILE)], beside(files));
  expect(more).toEqual([]);
  expect(`${problem?.field} ${problem?.code}`).toBe(finding);
  expect(problem?.message).toContain(message);
});

test('a context of more than 512 MiB is refused', () => {
  const [problem] = problemsIn([built(), withAssets('environment/a', DOCKERFILE)], {
    ...beside({ [DOCKERFILE]: PINNED, 'environment/a': '' }),
    fileBytes: ({ path }) => (path === DOCKERFILE ? PINNED.length : 513 * 1024 ** 2),
  });
  expect(problem).toMatchObject({ code: 'context_too_large', field: 'version.sandbox.dockerfile' });
});

test('an image is named or built, in place of template and packages, and its settings need one of them', () => {
  const image = `debian@sha256:${'ab'.repeat(32)}`;
  const all = built({ image, sandbox_template_id: 'base', additional_packages: ['jq'] });
  expect(findingsIn([all, withAssets(DOCKERFILE)]).sort()).toEqual([
    'version.sandbox.additional_packages contradiction',
    'version.sandbox.dockerfile contradiction',
    'version.sandbox.sandbox_template_id contradiction',
  ]);
  const alone = [set('challenges.0.sandbox', { image, build_network_access: true })];
  expect(findingsIn(alone)).toEqual(['challenges[0].sandbox.build_network_access contradiction']);
});
