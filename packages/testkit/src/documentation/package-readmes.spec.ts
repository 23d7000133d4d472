import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repository } from './documents.js';

const FOLDERS = ['apps', 'packages'].flatMap((kind) =>
  readdirSync(path.join(repository, kind))
    .map((name) => `${kind}/${name}`)
    .filter((folder) => existsSync(path.join(repository, folder, 'package.json'))),
);

function readme(folder: string): string {
  const file = path.join(repository, folder, 'README.md');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

describe.each(FOLDERS)('The README of %s', (folder) => {
  const text = readme(folder);
  const manifest = JSON.parse(readFileSync(path.join(repository, folder, 'package.json'), 'utf8'));

  test('It has 5 to 20 lines, the name of the package as its heading, and where to start.', () => {
    const lines = text.split('\n').length - 1;
    expect(lines).toBeGreaterThanOrEqual(5);
    expect(lines).toBeLessThanOrEqual(20);
    expect(text.split('\n')[0]).toBe(`# ${manifest.name}`);
    expect(text).toContain('**Where to start:**');
  });

  test('Every main export that it names is an export of the package.', () => {
    const paragraph = /\*\*Main exports:\*\*([\s\S]*?)\n\n/.exec(text)?.[1] ?? '';
    const named = [...paragraph.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    const exported = exportsOf(path.join(folder, 'src/index.ts'));
    expect(named.filter((name) => !exported.has(name))).toEqual([]);
    expect(named.length > 0).toBe(exported.size > 0);
  });
});

/** The names that an index re-exports; `export *` is followed into the file. */
function exportsOf(file: string): Set<string> {
  const at = path.join(repository, file);
  if (!existsSync(at)) return new Set();
  const code = readFileSync(at, 'utf8');
  const listed = [...code.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/^\s*type\s+/, '').trim()),
  );
  const renamed = listed.map((name) => name.split(' as ').at(-1) ?? name);
  const declared = [
    ...code.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function|class|type|interface) (\w+)/gm,
    ),
  ].map(([, name = '']) => name);
  const starred = [...code.matchAll(/export (?:type )?\* from '([^']+)'/g)].flatMap(([, target = '']) => [
    ...exportsOf(path.join(path.dirname(file), target.replace(/\.js$/, '.ts'))),
  ]);
  return new Set([...renamed, ...declared, ...starred].filter((name) => name !== ''));
}
