import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { repository } from '@agentclash/e2e';
import { expect, test } from '@jest/globals';

const MAIN = path.join(repository, 'packages/bench/dist/main.js');

test('bench --help prints the sets and measures nothing', () => {
  const { status, stdout } = spawnSync(process.execPath, [MAIN, '--help'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Sets, by default all') });
});

test.each([
  [['attempts', '--only', 'bogus'], 'prompt_eval, native, verified'],
  [['packs', '--quick', '--json', '/nowhere/figures.json'], '--json cannot be written'],
])('%j is refused before anything is measured', (words, reason) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(reason),
  });
});
