import { expect, test } from '@jest/globals';
import { manifestOf } from '../publish/manifest.js';
import { readPack } from '../read/read-pack.js';
import { EXAMPLE, findingsIn, problemsIn, set } from '../testing/example-pack.js';
import { patched } from '../testing/vectors/patch.js';

const IMAGE = `docker.io/library/debian@sha256:${'ab'.repeat(32)}`;
const CASE = 'input_sets.0.cases.0.sandbox';

test('the version, a challenge and a case may each name an image and its user', () => {
  const image = { image: IMAGE, run_as_root: true };
  const patches = [
    set('version.sandbox', image),
    set('challenges.0.sandbox', { image: IMAGE, cpu: 2 }),
    set(CASE, image),
  ];
  expect(findingsIn(patches)).toEqual([]);
  const { pack } = readPack(patched(EXAMPLE, patches));
  if (pack === undefined) throw new Error('the pack was not read');
  const manifest = manifestOf(pack);
  expect(manifest.sandbox).toEqual(image);
  expect(manifest.challenges[0]?.sandbox).toEqual({ image: IMAGE, cpu: 2 });
});

test.each([
  'debian@sha256:12',
  `Debian @sha256:${'ab'.repeat(32)}`,
  `debian@sha256:${'AB'.repeat(32)}`,
  'a b',
])('the image %j is refused with the form that is expected', (image) => {
  const [problem, ...more] = problemsIn([set('version.sandbox', { image })]);
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ code: 'malformed', message: expect.stringContaining('NAME@sha256:') });
});

test('an image by a tag is refused with the next step, and is a warning where tags are pinned', () => {
  const patches = [set('version.sandbox', { image: 'debian:12' }), set(CASE, { image: 'debian' })];
  const refused = problemsIn(patches);
  expect(refused.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'error image_not_pinned',
    'error image_not_pinned',
  ]);
  expect(refused[0]).toMatchObject({
    field: 'version.sandbox.image',
    message: expect.stringContaining('agentclash image pull debian:12'),
  });
  const pinned = problemsIn(patches, { pinsImages: true });
  expect(pinned.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
});

test('an image beside a template or packages is a contradiction', () => {
  const sandbox = { image: IMAGE, sandbox_template_id: 'base', additional_packages: ['jq'] };
  expect(findingsIn([set('version.sandbox', sandbox)])).toEqual([
    'version.sandbox.sandbox_template_id contradiction',
    'version.sandbox.additional_packages contradiction',
  ]);
});

test('root without an image beside it is a contradiction, wherever it is written', () => {
  const run_as_root = true;
  const patches = [
    set('version.sandbox', { run_as_root }),
    set('challenges.0.sandbox', { run_as_root }),
    set(CASE, { run_as_root }),
  ];
  expect(findingsIn(patches).sort()).toEqual([
    'challenges[0].sandbox.run_as_root contradiction',
    'input_sets[0].cases[0].sandbox.run_as_root contradiction',
    'version.sandbox.run_as_root contradiction',
  ]);
});
