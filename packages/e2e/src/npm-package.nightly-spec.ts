import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmInstall } from '@agentclash/testkit/npm-install';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { packCommand } from './npm-archive.js';
import { type Ended, runNode, runProgram, StackFolder } from './product.js';
import { processesAbout } from './testing/processes.js';

jest.setTimeout(900_000);

/** The programs of a user's machine beside Node.js: for packs and for the sandbox, and no compiler. */
const TOOLS = ['bash', 'sh', 'env', 'python3', 'bwrap', 'git', 'cat', 'setpriv', 'ls'];

describe('the package of npm, installed in an empty folder on a machine without a compiler', () => {
  const folder = new StackFolder();
  let installed: string;
  let tools: string;
  const command = (...words: string[]): Promise<Ended> =>
    runNode([path.join(installed, 'bin/agentclash.js'), ...words], {
      folder,
      env: { PATH: tools, XDG_CACHE_HOME: path.join(folder.path, 'cache') },
      timeoutMs: 300_000,
    });

  beforeAll(async () => {
    const archive = await packCommand(folder);
    installed = path.join(await npmInstall(path.join(folder.path, 'empty'), [archive]), 'agentclash');
    tools = path.join(folder.path, 'bin');
    mkdirSync(tools);
    symlinkSync(process.execPath, path.join(tools, 'node'));
    for (const tool of TOOLS) {
      const { stdout } = await runProgram('sh', ['-c', `command -v ${tool}`], { folder });
      if (stdout !== '') symlinkSync(stdout.trim(), path.join(tools, tool));
    }
  }, 900_000);
  afterAll(() => folder.remove());

  test('the demo starts a stack, races three agents and ranks them', async () => {
    const demo = await command('demo', '--data', folder.data);
    expect(demo).toMatchObject({ code: 0 });
    expect(demo.stdout).toMatch(/1\s+oracle\s+passed/);
    expect(demo.stdout).toMatch(/3\s+idle\s+failed/);
    expect(processesAbout(folder.path)).toEqual([]);
  });

  test('a pack is written, checked, run without servers and shown', async () => {
    const pack = path.join(folder.path, 'task.yaml');
    expect(await command('challenge-pack', 'init', pack)).toMatchObject({ code: 0 });
    expect(await command('challenge-pack', 'validate', pack)).toMatchObject({ code: 0 });
    const example = path.join(installed, 'node_modules/@agentclash/cli/examples');
    const agents = path.join(example, 'deployments/small-python-tasks.yaml');
    const raced = path.join(example, 'challenge-packs/small-python-tasks.yaml');
    const results = path.join(folder.path, 'results.clash');
    const run = await command('run', raced, '--agents', agents, '-o', results);
    expect(run).toMatchObject({ stdout: expect.stringMatching(/1\s+oracle\s+passed/) });
    expect(existsSync(results)).toBe(true);
  });

  test('an unknown command and a broken pack end as they do in the repository', async () => {
    const broken = path.join(folder.path, 'broken.yaml');
    writeFileSync(broken, 'pack: [');
    expect(await command('challenge-pack', 'validate', broken)).toMatchObject({ code: 64 });
    expect(await command('rum')).toMatchObject({ code: 64 });
  });
});
