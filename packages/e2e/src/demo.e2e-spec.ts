import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, expect, jest, test } from '@jest/globals';
import { repository, runNode, runProgram, StackFolder } from './product.js';
import { processesAbout } from './testing/processes.js';

jest.setTimeout(180_000);

const folder = new StackFolder();
afterAll(() => folder.remove());

const DEMO = [path.join(repository, 'apps/cli/bin/agentclash.js'), 'demo'];

test('the demo ranks oracle over hasty over idle, also on the data of the first time, and prints commands that work', async () => {
  let printed = '';
  for (const time of ['first', 'second']) {
    const { code, stdout } = await runNode([...DEMO, '--data', folder.data], { folder, timeoutMs: 240_000 });
    expect({ time, code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/1\s+oracle\s+passed/);
    expect(stdout).toMatch(/2\s+hasty\s+failed/);
    expect(stdout).toMatch(/3\s+idle\s+failed/);
    printed = stdout;
  }
  const [, listed = ''] = printed.split('Where to look next\n');
  const [block = ''] = listed.split('\n\n');
  expect(block).toContain('agentclash replay');
  const script = path.join(folder.path, 'next.sh');
  writeFileSync(script, `set -e\nshopt -s expand_aliases\n${block}\n`);
  const ended = await runProgram('bash', [script], { folder, timeoutMs: 240_000 });
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('PASS RATE') });
  expect(ended.stdout).toMatch(/\/runs\/\S+#code=/);
}, 500_000);

test('the stack of a demo on a terminal runs until Enter is pressed', async () => {
  const words = [process.execPath, ...DEMO, '--data', folder.data].join(' ');
  const child = spawn('script', ['-qefc', words, '/dev/null'], {
    cwd: repository,
    env: folder.environment({ CI: '' }),
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [, url = ''] = await waitFor(
    () => /The stack runs at (\S+)\. Press Enter/.exec(printed) ?? undefined,
    {
      timeoutMs: 240_000,
    },
  );
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.stdin.write('\n');
  expect(await ended).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
}, 300_000);

test('the demo leaves no process behind', () => {
  expect(processesAbout(folder.path)).toEqual([]);
});
