import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repository } from '../repository.js';

/** A file without a source is its own entry. */
type Exports = Record<string, Record<string, string> | string>;

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  license?: string;
  description?: string;
  repository?: { url: string; directory: string };
  engines?: object;
  files?: string[];
  exports: Exports;
  publishConfig?: { access: string; exports: Exports };
  dependencies?: Record<string, string>;
}

const read = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(repository, folder, 'package.json'), 'utf8'));
const ROOT = read('.');
const FOLDERS = ['apps', 'packages'].flatMap((parent) =>
  readdirSync(path.join(repository, parent)).map((name) => `${parent}/${name}`),
);
const LIBRARIES = FOLDERS.map((folder) => ({ folder, manifest: read(folder) })).filter(
  ({ manifest }) => manifest.private !== true,
);

test('The libraries that a release publishes are those of users, and what these depend on.', () => {
  const names = LIBRARIES.map(({ manifest }) => manifest.name);
  expect(names.sort()).toEqual(
    ['agent-presets', 'api', 'challengepack', 'contracts', 'domain', 'sdk'].map(
      (name) => `@agentclash/${name}`,
    ),
  );
  const own = LIBRARIES.flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {})).filter((name) =>
    name.startsWith('@agentclash/'),
  );
  expect(own.filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(LIBRARIES)('the library $folder', ({ folder, manifest }) => {
  test('A library states what npm shows: version, licence, description and where its sources are.', () => {
    expect(manifest).toMatchObject({
      version: ROOT.version,
      license: ROOT.license,
      engines: { node: expect.stringMatching(/^>=\d/) },
      repository: { url: ROOT.repository?.url, directory: folder },
    });
    expect(manifest.description).toMatch(/\w+/);
    expect(readFileSync(path.join(repository, folder, 'README.md'), 'utf8')).toContain(manifest.name);
  });

  test('A library is published with its entries, but for those of tests and of sources.', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', exports: publicExports(manifest.exports) });
    expect(manifest.files).toEqual(
      expect.arrayContaining(['dist', '!dist/**/testing', '!dist/**/*.map', '!dist/.tsbuildinfo']),
    );
  });

  test('A file of a library beside its code is an entry of its own.', () => {
    const files = manifest.files?.filter((file) => /^[\w.-]+\.\w+$/.test(file)) ?? [];
    const entries = Object.values(manifest.publishConfig?.exports ?? {});
    expect(entries).toEqual(expect.arrayContaining(files.map((file) => `./${file}`)));
  });
});

function publicExports(all: Exports): Exports {
  const entries = Object.entries(all)
    .filter(([, target]) => typeof target === 'string' || !(target.default ?? '').includes('/testing/'))
    .map(([entry, target]) => [entry, typeof target === 'string' ? target : compiled(target)]);
  return Object.fromEntries(entries);
}

function compiled({ 'agentclash-source': _, ...targets }: Record<string, string>): Record<string, string> {
  return targets;
}
