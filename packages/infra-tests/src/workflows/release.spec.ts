import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { repository } from '../repository.js';

const scripts = path.join(repository, 'infra/release');
const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
afterAll(() => rmSync(folder, { recursive: true }));

type ReleaseNotes = (tag: string, texts: { manifest: string; changelog: string }) => string;
const { releaseNotes }: { releaseNotes: ReleaseNotes } = await import(
  pathToFileURL(path.join(scripts, 'notes.mjs')).href
);

const {
  versionedFiles,
  withVersion,
}: {
  versionedFiles: (root: string) => string[];
  withVersion: (text: string, before: string, version: string) => string;
} = await import(pathToFileURL(path.join(scripts, 'version.mjs')).href);
const manifestOf = (file: string) => readFileSync(path.join(repository, file), 'utf8');

const manifest = '{"version": "1.2.0"}';
const changelog =
  '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n### Added\n\n- One.\n\n## [1.1.0] - 2026-11-01\n\n- Two.\n';

test('The notes of a release are the section of its version.', () => {
  expect(releaseNotes('v1.2.0', { manifest, changelog })).toBe('### Added\n\n- One.\n');
});

test.each([
  ['1.2.0', changelog, '1.2.0 is not a tag of a release: write it as v1.2.3'],
  ['v1.3.0', changelog, 'the tag is v1.3.0, and package.json has version 1.2.0: set it to 1.3.0'],
  [
    'v1.2.0',
    '## [Unreleased]\n- One.\n',
    'CHANGELOG.md has no section [1.2.0]: move the lines of [Unreleased] below it',
  ],
  [
    'v1.2.0',
    '## [1.2.0]\n- One.\n',
    'CHANGELOG.md: the heading "## [1.2.0]" needs the day: ## [1.2.0] - YYYY-MM-DD',
  ],
  ['v1.2.0', '## [1.2.0] - 2026-12-01\n\n## [1.1.0]\n', 'CHANGELOG.md: the section [1.2.0] is empty'],
])('A release %s of sources that disagree is refused (%#).', (tag, text, message) => {
  expect(() => releaseNotes(tag, { manifest, changelog: text })).toThrow(message);
});

test('The names of a release give every image of docker-bake.json its name in the registry.', () => {
  const file = path.join(folder, 'names.json');
  execFileSync(process.execPath, [path.join(scripts, 'image-names.mjs'), 'ghcr.io/acme', file]);
  const { target } = JSON.parse(readFileSync(file, 'utf8'));
  const builds = JSON.parse(readFileSync(path.join(repository, 'infra/docker/docker-bake.json'), 'utf8'));
  expect(Object.keys(target)).toEqual(expect.arrayContaining(builds.group.default.targets));
  expect(target.gateway.tags).toEqual(builds.target.gateway.tags.map((tag: string) => `ghcr.io/acme/${tag}`));
});

test('The command for the version sets it in every manifest and in every name of an image of ours, and nowhere else.', () => {
  const { version } = JSON.parse(manifestOf('package.json'));
  const files = versionedFiles(repository);
  const named = files.map((file) => ({ file, text: manifestOf(file) }));
  const manifests = named.filter(({ file }) => file.endsWith('package.json'));
  expect(manifests.length).toBeGreaterThan(40);
  for (const { file, text } of manifests)
    expect({ file, ...JSON.parse(text) }).toMatchObject({ file, version });
  const images = named.flatMap(({ text }) => text.match(/\bagentclash\/[\w-]+:[^\s"']+/g) ?? []);
  expect(images.length).toBeGreaterThan(20);
  expect(images.filter((image) => !new RegExp(`:${version}(?:-[a-z]+)?$`).test(image))).toEqual([]);

  const next = '99.0.0-rc.1';
  const changed = named.map(({ file, text }) => ({ file, text, set: withVersion(text, version, next) }));
  expect(changed.flatMap(({ set }) => set.match(/\bagentclash\/[\w-]+:[^\s"']+/g) ?? [])).toEqual(
    images.map((image) => image.replace(`:${version}`, `:${next}`)),
  );
  for (const { file, set } of changed.filter((each) => each.file.endsWith('package.json')))
    expect({ file, ...JSON.parse(set) }).toMatchObject({ file, version: next });
  expect(changed.filter(({ text, set }) => withVersion(set, next, version) !== text)).toEqual([]);
  const { target } = JSON.parse(changed.find(({ file }) => file.endsWith('docker-bake.json'))?.set ?? '{}');
  expect(target.common.args.VERSION).toBe(next);
});

test('Images are signed by the digests that the build wrote, each once, and a build without any is an error.', () => {
  const file = path.join(folder, 'images.json');
  const digest = `sha256:${'a'.repeat(64)}`;
  const built = {
    'containerimage.digest': digest,
    'image.name': 'localhost:5000/acme/gateway:1.2.0,localhost:5000/acme/gateway:latest',
  };
  writeFileSync(file, JSON.stringify({ gateway: built, 'buildx.build.warnings': [] }));
  const run = () =>
    spawnSync(process.execPath, [path.join(scripts, 'image-digests.mjs'), file], { encoding: 'utf8' });
  expect(run()).toMatchObject({ status: 0, stdout: `localhost:5000/acme/gateway@${digest}\n` });
  writeFileSync(file, JSON.stringify({ 'buildx.build.warnings': [] }));
  expect(run()).toMatchObject({
    status: 1,
    stderr: `${file} has no digest of an image: were they pushed?\n`,
  });
});

test.each([
  ['v1.2.0', '--tag=latest', '--prerelease=false'],
  ['v1.2.0-rc.1', '--tag=next', '--prerelease=true'],
  ['v1.2.0-0', '--tag=next', '--prerelease=true'],
])('A release %s is published with %s and %s.', (tag, npm, github) => {
  const option = (target: string) =>
    execFileSync(process.execPath, [path.join(scripts, 'prerelease.mjs'), target, tag], { encoding: 'utf8' });
  expect([option('npm'), option('github')]).toEqual([`${npm}\n`, `${github}\n`]);
});

test('A kind of release that there is not is refused, so that its job ends before it publishes.', () => {
  const ended = spawnSync(process.execPath, [path.join(scripts, 'prerelease.mjs'), 'pypi', 'v1.2.0']);
  expect(ended).toMatchObject({ status: 64 });
});
