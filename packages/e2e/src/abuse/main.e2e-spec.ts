import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { repository } from '../product.js';
import { processesAbout } from '../testing/processes.js';
import { ATTACK_KEYS } from './attacks.js';

jest.setTimeout(240_000);

const PROGRAMS = ['abuse', 'chaos'] as const;
const mainOf = (program: string) => path.join(repository, 'packages/e2e/dist', program, 'main.js');

test.each(PROGRAMS)('pnpm %s --help prints its options and starts nothing', (program) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [mainOf(program), '--help'], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: expect.stringContaining('--only <key,key>'),
    stderr: '',
  });
});

test('pnpm abuse --help lists every attack', () => {
  const { stdout } = spawnSync(process.execPath, [mainOf('abuse'), '-h'], { encoding: 'utf8' });
  for (const key of ATTACK_KEYS) expect(stdout).toContain(key);
});

test.each(
  PROGRAMS.flatMap((program) => [
    { program, words: ['--slow'], message: 'There is no option --slow. --help lists the options.' },
    { program, words: ['--only', 'none'], message: '"none" is none of the keys of --only: ' },
  ]),
)('pnpm $program $words is refused in one line, before anything starts', ({ program, words, message }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [mainOf(program), ...words], {
    encoding: 'utf8',
  });
  expect({ status, stdout, lines: stderr.trim().split('\n') }).toEqual({
    status: 1,
    stdout: '',
    lines: [expect.stringContaining(`error ${message}`)],
  });
});

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agentclash-abuse-'));
  // The user of PostgreSQL passes through.
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('SIGTERM while pnpm abuse starts its stack leaves no process and no file behind', async () => {
  const child = spawn(process.execPath, [mainOf('abuse'), '--scale', 'short'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  try {
    await waitFor(() => processesAbout(folder).some((line) => line.includes('postgres')), {
      timeoutMs: 60_000,
    });
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exited).toEqual([1, null]);
  await waitFor(() => processesAbout(folder).length === 0, { timeoutMs: 30_000 });
  expect(readdirSync(folder)).toEqual([]);
});
