import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { installPinnedNatsServer } from './install.js';
import { DownloadLog, notInstalled } from './not-installed.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-install-'));
const target = path.join(folder, 'bin');

afterAll(() => rmSync(folder, { recursive: true }));

describe('a nats-server that is downloaded', () => {
  test.each([
    ['has another checksum', 'there.deb'],
    ['is not there', 'absent.deb'],
  ])('a downloaded nats-server is not installed when it %s', async (_what, name) => {
    writeFileSync(path.join(folder, 'there.deb'), 'not what was pinned');
    const lines: string[] = [];
    const archive = { url: `file://${folder}/${name}`, sha256: '0'.repeat(64) };
    const options = { folder: target, log: (line: string) => void lines.push(line) };
    expect(await installPinnedNatsServer(options, archive)).toBe(false);
    expect(existsSync(path.join(target, 'nats-server'))).toBe(false);
    expect(lines.at(-1)).toMatch(/was not installed/);
  });

  test('a download passes through the proxy of the machine, and an error names its source and the reason', async () => {
    const requested: string[] = [];
    const proxy = createServer((request, response) => {
      requested.push(request.url ?? '');
      response.writeHead(503, 'Closed for the night').end();
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const before = process.env.http_proxy;
    process.env.http_proxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      const downloads = new DownloadLog(() => {});
      const archive = { url: 'http://packages.invalid/nats.deb', sha256: '0'.repeat(64) };
      expect(await installPinnedNatsServer({ folder: target, log: downloads.line }, archive)).toBe(false);
      expect(requested).toContain(archive.url);
      expect(notInstalled({ failures: downloads.failures, cause: new Error('exit code 100') })).toMatchObject(
        {
          code: 'not_installed',
          message: expect.stringMatching(
            /could not be downloaded \(packages\.invalid: 503 .*Closed for the night/,
          ),
          hint: expect.stringContaining('http_proxy='),
        },
      );
    } finally {
      proxy.close();
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
    }
  });

  test('a machine without the package tool is named as the reason, with no hint at a proxy', () => {
    const cause = Object.assign(new Error('spawn apt-get ENOENT'), { code: 'ENOENT', path: 'apt-get' });
    const { message, hint } = notInstalled({ cause });
    expect(message).toContain('(this machine has no apt-get)');
    expect(hint).not.toContain('proxy');
    expect(notInstalled().message).toBe('There is no nats-server (2.9 or newer) on this machine.');
  });
});
