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

test('The images of docker-bake.json have the version of package.json.', () => {
  const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
  const { target } = JSON.parse(readFileSync(path.join(repository, 'infra/docker/docker-bake.json'), 'utf8'));
  const tags = Object.values<{ tags?: string[] }>(target).flatMap((each) => each.tags ?? []);
  expect(tags.filter((tag) => !new RegExp(`:${version}(?:-[a-z]+)?$`).test(tag))).toEqual([]);
  expect(target.common.args.VERSION).toBe(version);
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
