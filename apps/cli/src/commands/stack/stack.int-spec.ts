import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
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
    'a stack in the background is found by every command, and stopped',
    async () => {
      const up = await command(['up', '--detach', '--data', data, '--port', '0', '--json'], { env });
      expect(up).toMatchObject({ code: 0 });
      const { url, pid } = JSON.parse(up.stdout);
      const known = readFileSync(path.join(home, '.config/agentclash/stacks.json'), 'utf8');
      expect(JSON.parse(known)).toEqual({ folders: [data] });

      const status = await command(['status', '--json'], { env });
      expect(status).toMatchObject({ code: 0 });
      expect(JSON.parse(status.stdout)).toMatchObject({ running: true, url, pid, data });

      const again = await command(['up', '--data', data, '--json'], { env });
      expect(JSON.parse(again.stdout)).toMatchObject({ url, pid });

      const tokens = await command(['workspace', 'list', '--json'], { env });
      expect(JSON.parse(tokens.stdout)).toMatchObject({ items: [{ slug: 'default' }] });

      expect(await command(['down'], { env })).toMatchObject({ code: 0 });
      const after = await command(['status'], { env });
      expect(after).toMatchObject({
        code: 69,
        stdout: expect.stringContaining(`Not running (data: ${data})`),
      });
      expect(after.stderr).toContain(`Start it: agentclash up --data ${data}`);
      // The process that adopted it may take a moment to notice that it ended.
      await waitFor(() => !isThere(pid));
    },
    TIMEOUT_MS,
  );

  test(
    'a stack in the foreground runs until a signal to stop, and then leaves nothing behind',
    async () => {
      const up = startCommand(['up', '--data', data, '--port', '0'], { env });
      await waitFor(() => up.stderr().includes('Ctrl-C stops it.'), { timeoutMs: 60_000 });
      up.child.kill('SIGINT');
      expect(await up.ended).toMatchObject({ code: 0 });
      expect(await command(['status', '--data', data], { env })).toMatchObject({ code: 69 });
    },
    TIMEOUT_MS,
  );
});

describe('the address of the embedded stack', () => {
  const home = emptyFolder();
  const folder = emptyFolder();
  chmodSync(folder, 0o755);
  const data = path.join(folder, 'data');
  const env = { XDG_CONFIG_HOME: path.join(home, '.config') };
  const up = async (...words: string[]) => {
    const ended = await command(['up', '--detach', '--json', ...words], { env });
    expect(ended).toMatchObject({ code: 0 });
    return { ...JSON.parse(ended.stdout), notes: ended.stderr };
  };
  const down = async () => expect(await command(['down'], { env })).toMatchObject({ code: 0 });

  afterAll(async () => {
    await command(['down', '--data', data], { env });
    removeFolders();
  }, TIMEOUT_MS);

  test(
    'the stack starts again at its last address and folder, unless another program uses the address',
    async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      expect(await up('--data', data, '--port', String(port))).toMatchObject({ url, data });

      const elsewhere = await command(['up', '--detach', '--port', '1'], { env });
      expect(elsewhere.code).toBe(64);
      expect(elsewhere.stderr).toContain(`Already running at ${url}, not on port 1 (data: ${data})`);
      expect(elsewhere.stderr).toContain(`agentclash up --data ${data} --port 1`);

      await down();
      const again = await up();
      expect(again).toMatchObject({ url, data });
      expect(again.notes).toContain(data);

      await down();
      const other = createServer().listen(port, '127.0.0.1');
      await once(other, 'listening');
      const moved = await up();
      expect(moved.url).not.toBe(url);
      expect(moved.notes).toContain(`Port ${port} is in use by another program`);
      await down();
      other.close();
      await once(other, 'close');
      expect(await up()).toMatchObject({ url, data });
    },
    2 * TIMEOUT_MS,
  );

  test(
    'up --host listens on that address alone, and is refused while the stack runs on another',
    async () => {
      const again = await command(['up', '--detach', '--host', '127.0.0.2'], { env });
      expect(again).toMatchObject({
        code: 64,
        stderr: expect.stringContaining('--host takes effect at a start'),
      });
      const text = await command(['up', '--host', 'localhost'], { env });
      expect(text).toMatchObject({ code: 64, stderr: expect.stringContaining('It must be an IP address') });
      await down();
      const { url } = await up('--host', '127.0.0.2');
      const { hostname, port } = new URL(url);
      expect(hostname).toBe('127.0.0.2');
      expect((await fetch(`${url}/v1/openapi.json`)).status).toBe(200);
      await expect(fetch(`http://127.0.0.1:${port}/v1/openapi.json`)).rejects.toThrow('fetch failed');
      expect(await command(['workspace', 'list'], { env })).toMatchObject({ code: 0 });
      await down();
      await up();
    },
    2 * TIMEOUT_MS,
  );

  test('up, status and open print the address with a link that signs one browser in', async () => {
    const { url, sign_in_url: fromUp } = await up();
    const status = await command(['status'], { env });
    const fromStatus = /^Sign in: (\S+)$/m.exec(status.stdout)?.[1];
    const opened = await command(['open', '--print'], { env });
    for (const link of [fromUp, fromStatus, opened.stdout.trim()]) {
      const [, code] = /#code=([\w-]{32})$/.exec(link) ?? [];
      expect(link).toBe(`${url}/#code=${code}`);
      const open = async () =>
        await fetch(`${url}/v1/sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ code }),
        });
      const { status: first } = await open();
      expect(first).toBe(201);
      expect((await open()).status).toBe(401);
    }
  });

  test(
    'Printed links name the address that PUBLIC_URL has, and commands use that of the stack',
    async () => {
      await down();
      const behind = { ...env, PUBLIC_URL: 'https://clash.example' };
      const started = await command(['up', '--detach', '--data', data, '--json'], { env: behind });
      const { url, sign_in_url: fromUp } = JSON.parse(started.stdout);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
      const status = await command(['status'], { env });
      const opened = await command(['open', '--print'], { env });
      for (const text of [fromUp, status.stdout, opened.stdout])
        expect(text).toMatch(/https:\/\/clash\.example\/#code=[\w-]{32}/);
      expect(await command(['workspace', 'list'], { env })).toMatchObject({ code: 0 });
      await down();
      const { sign_in_url: without } = await up();
      expect(without).toMatch(/^http:\/\/127\.0\.0\.1:/);
    },
    2 * TIMEOUT_MS,
  );
});

/** Below the ports that connections going out are given. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(16_384, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    const [isFree] = await Promise.race([
      once(server, 'listening').then(() => [true]),
      once(server, 'error').then(() => [false]),
    ]);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
