import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { repository } from '../repository.js';

describe('the bundle of a package', () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bundle-')));
    write('package.json', '{"type": "module"}');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }

  const bundle = (...entries: string[]) =>
    execFileSync(process.execPath, [path.join(repository, 'infra/bootstrap/bundle.mjs'), ...entries], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  /** The output, in JSON, of a program that imports the bundle. */
  const printed = (program: string) =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: folder,
        encoding: 'utf8',
      }),
    );

  test('A module in a bundle has the URL and the folder of its compiled file.', () => {
    write('dist/index.js', "export * from './deep/here.js';");
    write(
      'dist/deep/here.js',
      'export const url = import.meta.url; export const folder = import.meta.dirname;',
    );
    bundle('dist/index.js');
    const found = printed(`
      import path from 'node:path';
      import { url, folder } from './dist/bundle/index.js';
      console.log(JSON.stringify({ url, folder: path.resolve(folder) }));
    `);
    expect(found).toEqual({
      url: pathToFileURL(path.join(folder, 'dist/deep/here.js')).href,
      folder: path.join(folder, 'dist/deep'),
    });
  });

  test('Two entries share one state, and a module that is imported late stays a file of its own.', () => {
    write(
      'dist/index.js',
      "export { count } from './state.js'; export const late = () => import('./late.js');",
    );
    write('dist/other.js', "import { count } from './state.js'; export const other = count;");
    write('dist/state.js', 'export const count = { value: 0 };');
    write('dist/late.js', "globalThis.isLoaded = true; export const name = 'late';");
    bundle('dist/index.js', 'dist/other.js');
    const found = printed(`
      import { count, late } from './dist/bundle/index.js';
      import { other } from './dist/bundle/other.js';
      const before = globalThis.isLoaded === true;
      const { name } = await late();
      console.log(JSON.stringify({ isShared: count === other, before, name }));
    `);
    expect(found).toEqual({ isShared: true, before: false, name: 'late' });
  });

  test('Two classes of one name keep it, so that errors are named as they are written.', () => {
    write('dist/index.js', "export { Stopped as A } from './a.js'; export { Stopped as B } from './b.js';");
    for (const name of ['a', 'b']) write(`dist/${name}.js`, 'export class Stopped extends Error {}');
    bundle('dist/index.js');
    const found = printed(`
      import { A, B } from './dist/bundle/index.js';
      console.log(JSON.stringify([A.name, B.name]));
    `);
    expect(found).toEqual(['Stopped', 'Stopped']);
  });

  test('Files of an earlier bundle are removed.', () => {
    write('dist/index.js', 'export const value = 1;');
    write('dist/bundle/earlier-ABCDEFGH.js', '');
    bundle('dist/index.js');
    expect(readdirSync(path.join(folder, 'dist/bundle')).sort()).toEqual(['index.js', 'index.js.map']);
  });

  test('A property of import.meta that would be that of the bundle is an error with the file.', () => {
    write('dist/index.js', 'export const file = import.meta.filename;');
    expect(() => bundle('dist/index.js')).toThrow(/dist\/index\.js has import\.meta\.filename/);
  });
});
