import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { installPinnedNatsServer } from './install.js';

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
});
