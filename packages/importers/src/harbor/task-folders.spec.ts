import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { openDiskSource } from '../framework/disk-source.js';
import { below, type Files, TASK } from '../testing/harbor-task.js';
import { imported, importProblems } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

const problems = (files: Files) => importProblems('harbor', memorySource(files));

test('the first problem of each bad task of a folder is reported, of many those of the first', async () => {
  const bad = { ...TASK, 'task.toml': 'a = [' };
  const { 'instruction.md': _, ...incomplete } = TASK;
  expect(await problems({ ...below('a', bad), ...below('b', TASK), ...below('c', incomplete) })).toEqual([
    expect.objectContaining({ file: 'a/task.toml', line: 1 }),
    expect.objectContaining({ file: 'c/instruction.md' }),
  ]);
  const many = Array.from({ length: 25 }, (_each, index) => below(`t${index}`, bad));
  const found = await problems(Object.assign({}, ...many));
  expect(found).toHaveLength(21);
  expect(found.at(-1)).toEqual({ message: '5 further tasks have problems too' });
});

test.each(['', 'tasks/one'])(
  'a solution that is a link to a folder is one line of the report, in the task folder %j too',
  async (folder) => {
    const root = mkdtempSync(path.join(tmpdir(), 'agentclash-harbor-'));
    try {
      const { 'solution/solve.sh': _, ...files } = TASK;
      for (const [name, content] of Object.entries(files)) {
        const file = path.join(root, folder, name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
      symlinkSync('/etc', path.join(root, folder, 'solution'));
      const { report } = await imported('harbor', await openDiskSource(root));
      const solution = path.join(folder, 'solution');
      expect(report.items.filter(({ where }) => where.endsWith('solution'))).toEqual([
        {
          where: solution,
          key: solution,
          fate: 'dropped',
          reason: 'links and special files are not followed',
        },
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);

test('a solution that is a file is a line of the report', async () => {
  const { 'solution/solve.sh': _, ...files } = TASK;
  const { fates } = await imported('harbor', memorySource({ ...files, solution: 'echo' }));
  expect(fates).toContain('dropped solution');
});
