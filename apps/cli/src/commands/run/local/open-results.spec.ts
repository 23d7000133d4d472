import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openResults } from './open-results.js';

describe('the file of results of a run', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-results-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const open = (output: string) =>
    // The run is not read before the file is open.
    openResults({} as Parameters<typeof openResults>[0], { output, resume: undefined, version: '0' });

  test('a folder is refused as the file of results, with the name of a file in it', async () => {
    await expect(open(folder)).rejects.toMatchObject({
      message: `${folder} is a folder`,
      hint: expect.stringContaining(path.join(folder, 'results.clash')),
    });
  });

  test('a name that other commands do not take for a file of results is refused before the race', async () => {
    await expect(open(path.join(folder, 'results.json'))).rejects.toMatchObject({
      message: expect.stringContaining('it must end with .clash'),
    });
  });

  test('an existing file is refused with the option that continues it', async () => {
    const file = path.join(folder, 'old.clash');
    writeFileSync(file, '');
    await expect(open(file)).rejects.toMatchObject({
      message: expect.stringContaining('exists already'),
      hint: expect.stringContaining(`--resume ${file}`),
    });
  });

  test('a file in a folder that does not exist is refused with the name of that folder', async () => {
    const file = path.join(folder, 'absent', 'new.clash');
    await expect(open(file)).rejects.toMatchObject({
      message: `${file} cannot be written (ENOENT)`,
      hint: expect.stringContaining(`no folder ${path.dirname(file)}`),
    });
  });
});
