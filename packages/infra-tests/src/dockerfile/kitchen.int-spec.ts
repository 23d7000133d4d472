import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { repository } from '../repository.js';
import { contextFiles } from './build-context.js';
import { Kitchen } from './kitchen.js';
import { readRecipe } from './recipe.js';

jest.setTimeout(120_000);

const DOCKER = path.join(repository, 'infra/docker');
const IGNORE = path.join(DOCKER, 'Dockerfile.dockerignore');

describe('the steps of the Dockerfile', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-images-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const kitchen = (name: string) =>
    new Kitchen({
      recipe: readRecipe(path.join(DOCKER, 'Dockerfile')),
      context: repository,
      ignoreFile: IGNORE,
      folder: path.join(folder, name),
      cache: path.join(folder, 'cache'),
    });

  test('make the process inside, the same bytes every time', async () => {
    const digests = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const { root, command } = await kitchen(name).image('inside', { VERSION: '0.1.0' });
        expect(command).toEqual(['/inside']);
        return createHash('sha256')
          .update(readFileSync(path.join(root, 'inside')))
          .digest('hex');
      }),
    );
    expect(digests[0]).toBe(digests[1]);
  });

  test('lay out a root in which Node.js runs, and in which there is no shell', async () => {
    const { root } = await kitchen('root').image('distroless', {});
    const inRoot = (...command: string[]) =>
      execFileSync('bwrap', [
        ...[
          '--bind',
          path.join(root, 'rootfs'),
          '/',
          '--proc',
          '/proc',
          '--dev',
          '/dev',
          '--remount-ro',
          '/',
        ],
        ...[
          '--unshare-user',
          '--uid',
          '65532',
          '--gid',
          '65532',
          '--clearenv',
          '--setenv',
          'PATH',
          '/usr/bin',
        ],
        ...command,
      ]).toString();
    expect(inRoot('node', '--print', 'process.getuid() + process.version')).toBe(`65532${process.version}\n`);
    expect(() => inRoot('sh', '-c', 'true')).toThrow(/execvp sh/);
  });

  test('take from the repository what images are made from, and no tests, data or secrets', () => {
    const files = contextFiles(repository, IGNORE);
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'apps/gateway/src/main.ts', 'tsconfig.json']),
    );
    expect(
      files.filter((file) => /\.(?:int-|e2e-)?spec\.ts$|node_modules|\/dist\/|\.env$|^infra\/k8s/.test(file)),
    ).toEqual([]);
  });
});
