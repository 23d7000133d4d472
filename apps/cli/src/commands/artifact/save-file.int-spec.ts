import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { saveFile } from './save-file.js';

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('the connection broke');
}

describe('saving a download', () => {
  let folder: string;
  let target: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agentclash-save-'));
    target = path.join(folder, 'file.txt');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const content = () => readFile(target, 'utf8');

  test('a download creates its file', async () => {
    expect(await saveFile(target, chunks('a', 'b'), { mayReplace: false })).toEqual({ replaced: false });
    expect(await content()).toBe('ab');
  });

  test('a download replaces an existing file only when that is allowed', async () => {
    await writeFile(target, 'mine');
    const refused = saveFile(target, chunks('new'), { mayReplace: false });
    await expect(refused).rejects.toMatchObject({ exit: 'usage', hint: '--force replaces it.' });
    expect(await content()).toBe('mine');
    expect(await saveFile(target, chunks('new'), { mayReplace: true })).toEqual({ replaced: true });
    expect(await content()).toBe('new');
    expect(await readdir(folder)).toEqual(['file.txt']);
  });

  test('an interrupted download leaves no partial file and keeps the file that it would have replaced', async () => {
    await expect(saveFile(target, broken(), { mayReplace: false })).rejects.toThrow('the connection broke');
    expect(await readdir(folder)).toEqual([]);
    await writeFile(target, 'mine');
    await expect(saveFile(target, broken(), { mayReplace: true })).rejects.toThrow('the connection broke');
    expect(await readdir(folder)).toEqual(['file.txt']);
    expect(await content()).toBe('mine');
  });

  test.each(['no/such/folder', '.'])('a download reports that "%s" cannot be written', async (subpath) => {
    const saving = saveFile(path.join(folder, subpath), chunks('x'), { mayReplace: true });
    await expect(saving).rejects.toMatchObject({ exit: 'usage' });
  });
});
