// Records the messages between services while their tests run, for the release that package.json names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
const notes = mkdtempSync(path.join(tmpdir(), 'agentclash-notes-'));

try {
  const tests = process.argv.slice(2);
  run(['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'], {
    words: [...(tests.length > 0 ? tests : ['apps']), '--selectProjects=int'],
    env: { AGENTCLASH_BUS_RECORDINGS: notes },
  });
  const sources = ['--no-warnings', '--conditions=agentclash-source'];
  run([...sources, '--import', './packages/testkit/src/jest/typescript.mjs'], {
    words: ['packages/contracts/src/testing/recordings/write.ts', notes, version],
  });
  run(['node_modules/@biomejs/biome/bin/biome'], {
    words: ['format', '--write', 'packages/contracts/recordings'],
  });
} finally {
  rmSync(notes, { recursive: true, force: true });
}

function run(program, { words, env = {} }) {
  const { status } = spawnSync(process.execPath, [...program, ...words], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  // Messages of failing tests are not recorded for a release.
  if (status !== 0) throw new Error(`${words[0]} failed: nothing more is recorded`);
}
