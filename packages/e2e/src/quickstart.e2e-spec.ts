import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { agentclash, repository, StackFolder } from './product.js';

jest.setTimeout(300_000);

const folder = new StackFolder();
afterAll(async () => {
  await agentclash(['down', '--data', folder.data], { folder });
  folder.remove();
});

/** The commands of the guide, in order. */
function commands(): string[] {
  const guide = readFileSync(path.join(repository, 'docs/quickstart.md'), 'utf8');
  return [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** The script without the steps that a test machine has done already and those that the guide leaves to its reader. */
function script(): string {
  const text = commands().join('\n');
  const replaced: [from: string, to: string][] = [
    ['npm run setup\n', ''],
    ['alias agentclash="node $PWD/apps/cli/bin/agentclash.js"', CALL],
    ['agentclash up --detach', `agentclash up --detach --data '${folder.data}'`],
  ];
  return replaced.reduce((all, [from, to]) => {
    expect(all).toContain(from);
    return all.replace(from, () => to);
  }, text);
}

const PROGRAM = path.join(repository, 'apps/cli/bin/agentclash.js');
/** Shells that are no terminal have no aliases. */
const CALL = `agentclash() { '${process.execPath}' '${PROGRAM}' "$@"; }`;

test('every command of the quickstart works as printed', async () => {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script()], {
    cwd: folder.path,
    env: folder.environment({ XDG_DATA_HOME: path.join(folder.path, 'share') }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  expect(code === 0 ? '' : `${code}\n${log}`).toBe('');
  expect(log).toMatch(/1 +adder +passed/);
  expect(log).toMatch(/2 +counter +failed/);
  expect(log).toContain('ended with 3');
  expect(log).toContain('correctness: so few cases could not show any loss');
  expect(log).toContain('Stopped. The data stays');
});
