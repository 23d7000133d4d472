import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const UNPRIVILEGED = 65_534;
const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');

const isRoot = process.getuid?.() === 0;
/** Without root the other specs prove the same. */
(isRoot ? test : test.skip).each([
  ['sandboxes of the basic level, which conform', ['conformance.int-spec']],
  [
    'the packages that an image lacks, from a cache of their own',
    ['packages.int-spec', '-t', 'are there|downloaded once|never under a sandbox'],
  ],
])(
  'an ordinary user gets %s (needs root, to start Jest as that user)',
  (_, [spec = '', ...chosen]) => {
    const home = mkdtempSync(path.join(tmpdir(), 'agentclash-unprivileged-'));
    chownSync(home, UNPRIVILEGED, UNPRIVILEGED);
    try {
      const jest = path.join(REPOSITORY, 'node_modules/jest/bin/jest.js');
      const own = ['--selectProjects', 'int', '--cacheDirectory', path.join(home, 'jest')];
      const file = path.join(import.meta.dirname, spec);
      const run = spawnSync(
        process.execPath,
        ['--experimental-vm-modules', '--no-warnings', jest, ...own, file, ...chosen],
        {
          cwd: REPOSITORY,
          uid: UNPRIVILEGED,
          gid: UNPRIVILEGED,
          env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, XDG_CACHE_HOME: path.join(home, 'cache') },
          encoding: 'utf8',
        },
      );
      expect(`${run.stdout}${run.stderr}`).toMatch(/Tests: +(\d+ skipped, )?\d+ passed, \d+ total/);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
  120_000,
);
