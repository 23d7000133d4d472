import { chmodSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders, startCommand } from '../../testing/command.js';

const TIMEOUT_MS = 120_000;

describe('the embedded stack', () => {
  const home = emptyFolder();
  const folder = emptyFolder();
  // PostgreSQL may run under another user, who has to pass through.
  chmodSync(folder, 0o755);
  const data = path.join(folder, 'data');
  const env = { XDG_CONFIG_HOME: path.join(home, '.config') };

  afterAll(async () => {
    await command(['down', '--data', data], { env });
    removeFolders();
  }, TIMEOUT_MS);

  test(
    'is left in the background, found by every command, and stopped',
    async () => {
      const up = await command(['up', '--detach', '--data', data, '--json'], { env });
      expect(up).toMatchObject({ code: 0 });
      const { url, pid } = JSON.parse(up.stdout);

      const status = await command(['status', '--json'], { env });
      expect(status).toMatchObject({ code: 0 });
      expect(JSON.parse(status.stdout)).toMatchObject({ running: true, url, pid, data });

      const again = await command(['up', '--data', data, '--json'], { env });
      expect(JSON.parse(again.stdout)).toMatchObject({ url, pid });

      const tokens = await command(['workspace', 'list', '--json'], { env });
      expect(JSON.parse(tokens.stdout)).toMatchObject({ items: [{ slug: 'default' }] });

      expect(await command(['down'], { env })).toMatchObject({ code: 0 });
      expect(await command(['status'], { env })).toMatchObject({ code: 69 });
      // Whoever adopted it may take a moment to notice that it ended.
      await waitFor(() => !isThere(pid));
    },
    TIMEOUT_MS,
  );

  test(
    'stays in the foreground until it is told to stop, and then leaves nothing behind',
    async () => {
      const up = startCommand(['up', '--data', data], { env });
      await waitFor(() => up.stderr().includes('Ctrl-C stops it.'), { timeoutMs: 60_000 });
      up.child.kill('SIGINT');
      expect(await up.ended).toMatchObject({ code: 0 });
      expect(await command(['status', '--data', data], { env })).toMatchObject({ code: 69 });
    },
    TIMEOUT_MS,
  );
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
