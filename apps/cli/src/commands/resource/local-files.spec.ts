import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readDeploymentFile } from '../../deployment-file/read.js';
import { readLocalFiles } from './local-files.js';

describe('files that a deployment file brings along', () => {
  let root: string;
  let folder: string;

  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'agentclash-files-'));
    folder = path.join(root, 'deployments');
    mkdirSync(path.join(folder, 'src'), { recursive: true });
    writeFileSync(path.join(folder, 'src/agent.py'), 'print(1)');
    writeFileSync(path.join(root, 'secret.txt'), 'secret');
    symlinkSync(path.join(root, 'secret.txt'), path.join(folder, 'link.txt'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const read = (from: string) =>
    readLocalFiles(
      readDeploymentFile(
        `name: a\nkind: program\nconfig:\n  command: [python3, agent.py]\n  files: [{path: agent.py, from: ${JSON.stringify(from)}}]\n`,
      ),
      folder,
    );

  test('files of a deployment file are read from its folder and below it', async () => {
    const { contents, problems } = await read('src/agent.py');
    expect(problems).toEqual([]);
    expect([...contents.keys()]).toEqual(['src/agent.py']);
  });

  test('files with a similar name in the folder are suggested, and no others', async () => {
    const { problems } = await read('src/agnt.py');
    expect(problems).toMatchObject([
      {
        code: 'unknown_reference',
        suggestion: 'src/agent.py',
        message: 'there is no file src/agnt.py beside it; did you mean src/agent.py?',
      },
    ]);
    const elsewhere = await read('../secret.tx');
    expect(elsewhere.problems).toMatchObject([{ message: 'there is no file ../secret.tx beside it' }]);
  });

  test.each(['../secret.txt', '/etc/hostname', 'src/../../secret.txt', 'link.txt'])(
    'files outside of the folder are not read: %s is a problem with its line',
    async (from) => {
      const { contents, problems } = await read(from);
      expect(contents.size).toBe(0);
      expect(problems).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(/is not in the folder of this file/),
          line: 5,
        }),
      ]);
    },
  );

  test('files that do not exist are named', async () => {
    const { problems } = await read('missing.py');
    expect(problems).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/there is no file missing\.py/) }),
    ]);
  });
});
