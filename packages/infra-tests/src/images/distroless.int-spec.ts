import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { repository } from '../repository.js';

describe('the root file system of the service images', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-distroless-'));
  const root = path.join(folder, 'rootfs');
  beforeAll(() => {
    execFileSync('sh', [path.join(repository, 'infra/docker/distroless.sh'), root], {
      env: { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const runInRoot = (...command: string[]) =>
    execFileSync('bwrap', [
      ...['--bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--remount-ro', '/'],
      ...['--unshare-user', '--uid', '65532', '--gid', '65532', '--clearenv', '--setenv', 'PATH', '/usr/bin'],
      ...command,
    ]).toString();

  test('a user without rights can run Node.js in the root file system', () => {
    expect(runInRoot('node', '--print', 'process.getuid() + process.version')).toBe(
      `65532${process.version}\n`,
    );
  });

  test('the root file system has no shell', () => {
    expect(() => runInRoot('sh', '-c', 'true')).toThrow(/execvp sh/);
  });
});
