import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders, startCommand } from '../../testing/command.js';

const line = (n: number, level = 30) =>
  `${JSON.stringify({ level, service: 'gateway', msg: `record ${n}` })}\n`;
let data: string;
let log: string;

beforeEach(() => {
  data = emptyFolder();
  log = path.join(data, 'agentclash.log');
});
afterEach(removeFolders);

describe('logs', () => {
  test('the newest records are shown, as text and as one document', async () => {
    writeFileSync(log, Array.from({ length: 300 }, (_, n) => line(n)).join(''));
    const text = await command(['logs', '--data', data, '-n', '2']);
    expect(text).toMatchObject({ code: 0, stdout: 'info gateway record 298\ninfo gateway record 299\n' });
    const { stdout } = await command(['logs', '--data', data, '--json']);
    const { items } = JSON.parse(stdout) as { items: { msg: string }[] };
    expect(items.map(({ msg }) => msg)).toEqual(Array.from({ length: 100 }, (_, n) => `record ${200 + n}`));
  });

  test('a log larger than what is read at once ends with its newest records', async () => {
    const long = 'x'.repeat(100_000);
    writeFileSync(
      log,
      Array.from({ length: 120 }, (_, n) => `${JSON.stringify({ msg: `${n} ${long}` })}\n`).join(''),
    );
    const { stdout } = await command(['logs', '--data', data, '-n', '1', '--json']);
    expect(JSON.parse(stdout).items[0].msg).toMatch(/^119 x/);
  });

  test('what is added is shown while the log is followed, by level', async () => {
    writeFileSync(log, line(1, 50));
    const following = startCommand(['logs', '--data', data, '--follow', '--level', 'warn', '--json']);
    try {
      await waitFor(() => following.stdout().includes('record 1'), { timeoutMs: 30_000 });
      appendFileSync(log, line(2) + line(3, 40).slice(0, 20));
      appendFileSync(log, line(3, 40).slice(20));
      await waitFor(() => following.stdout().includes('record 3'), { timeoutMs: 30_000 });
    } finally {
      following.child.kill('SIGTERM');
    }
    const { stdout } = await following.ended;
    expect(
      stdout
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each).msg),
    ).toEqual(['record 1', 'record 3']);
  });

  test('a folder without a log is an error with the command that starts the stack', async () => {
    const { code, stderr } = await command(['logs', '--data', data]);
    expect(code).toBe(66);
    expect(stderr).toContain(`agentclash up --data ${data}`);
  });
});
