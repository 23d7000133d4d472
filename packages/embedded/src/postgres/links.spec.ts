import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeLibraryLinks } from './links.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'links-'));
  mkdirSync(path.join(folder, 'native/lib'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (links: { source: string; target: string }[]) =>
  writeFileSync(path.join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));

test('links that the install script did not make are made, relative to their folder', async () => {
  writeFileSync(path.join(folder, 'native/lib/libpq.so.5.18'), 'library');
  write([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]);
  await makeLibraryLinks(folder);
  expect(readlinkSync(path.join(folder, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
  expect(readFileSync(path.join(folder, 'native/lib/libpq.so.5'), 'utf8')).toBe('library');
});

test('links that are there stay as they are', async () => {
  symlinkSync('other', path.join(folder, 'native/lib/libpq.so.5'));
  write([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]);
  await makeLibraryLinks(folder);
  expect(readlinkSync(path.join(folder, 'native/lib/libpq.so.5'))).toBe('other');
});

test('a package without a list of links needs none', async () => {
  await expect(makeLibraryLinks(folder)).resolves.toBeUndefined();
});

test('a folder that cannot hold a link is refused with the next step', async () => {
  write([{ source: 'native/lib/libpq.so.5.18', target: 'native/absent/libpq.so.5' }]);
  await expect(makeLibraryLinks(folder)).rejects.toMatchObject({
    code: 'not_installed',
    message: expect.stringContaining('native/absent/libpq.so.5'),
  });
});
