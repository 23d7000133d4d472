import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { emptyFolder, PROGRAM, removeFolders } from './testing/command.js';

const WATCH = path.resolve(import.meta.dirname, 'testing/loaded-modules.mjs');
afterAll(removeFolders);

/** The modules that a command line loads: files of this package, and names of others. */
async function loadedBy(...words: string[]): Promise<{ own: string[]; others: string[] }> {
  const list = path.join(emptyFolder(), 'loaded');
  const home = emptyFolder();
  const env = { LOADED_MODULES: list, HOME: home, XDG_CONFIG_HOME: home };
  await promisify(execFile)(process.execPath, ['--import', WATCH, PROGRAM, ...words], { env, cwd: home });
  const urls = readFileSync(list, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'));
  const own = urls.flatMap((url) => /\/apps\/cli\/dist\/(.+)$/.exec(url)?.[1] ?? []);
  const others = urls.flatMap(
    (url) => /(?:\/node_modules\/(?!\.pnpm\/)|\/packages\/)((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [],
  );
  return { own, others: [...new Set(others)].sort() };
}

describe('start-up', () => {
  test.each([[['--help']], [['run', '--help']], [['eval', 'start', '--help']]])(
    'the arguments %j load the tree of commands and none of the commands, no client and no schemas',
    async (words) => {
      const { own, others } = await loadedBy(...words);
      expect(own.filter((file) => file.startsWith('commands/'))).toEqual([]);
      expect(others).toEqual(['commander', 'domain', 'picocolors']);
      expect(own.length).toBeLessThan(40);
    },
  );

  test('a command loads its own module and none of the other commands', async () => {
    const { own, others } = await loadedBy('completion', 'bash');
    expect(own.filter((file) => file.startsWith('commands/'))).toEqual(['commands/completion/scripts.js']);
    expect(others).toEqual(['commander', 'domain', 'picocolors']);
  });

  test('a check of a pack loads neither the client nor a prompt', async () => {
    const { others } = await loadedBy('challenge-pack', 'init', 'task.yaml');
    expect(others).not.toEqual(expect.arrayContaining(['api', 'contracts']));
    expect(others.filter((name) => name.startsWith('@clack'))).toEqual([]);
  });

  test('compiled code is kept in the cache of the user, but for uninstall and where there is no home', async () => {
    const home = emptyFolder();
    const run = (words: string[], HOME: string) =>
      promisify(execFile)(process.execPath, [PROGRAM, ...words], { env: { HOME } });
    await run(['uninstall', '--help'], home);
    expect(readdirSync(home)).toEqual([]);
    await run(['--version'], home);
    expect(readdirSync(path.join(home, '.cache/agentclash/compiled'))).toHaveLength(1);
    expect((await run(['--version'], '/proc/none')).stdout).toMatch(/^agentclash \d/);
  });
});
