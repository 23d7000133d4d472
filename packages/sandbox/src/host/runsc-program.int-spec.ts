import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runscProgram, runscVersion } from './runsc-program.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-runsc-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string, mode = 0o755): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

/** `/bin/true` with another machine in its header. */
function foreignProgram(): string {
  const file = path.join(folder, 'foreign');
  copyFileSync('/bin/true', file);
  const machine = Buffer.from([0xf3, 0x00]); // RISC-V
  writeSync(openSync(file, 'r+'), machine, 0, machine.length, 18);
  chmodSync(file, 0o755);
  return file;
}

async function versionOf(given: string): Promise<string> {
  return await runscVersion(runscProgram(given));
}

describe('the program that SANDBOX_RUNSC names', () => {
  test.each<[string, () => string, string]>([
    ['that is missing', () => path.join(folder, 'absent'), 'does not exist'],
    [
      'that is a directory',
      () => {
        mkdirSync(path.join(folder, 'directory'));
        return path.join(folder, 'directory');
      },
      'is a directory',
    ],
    ['that may not be executed', () => fileOf('plain', 'x', 0o644), 'may not be executed'],
    ['for another architecture', foreignProgram, 'another architecture'],
    ['that is another program', () => '/bin/ls', 'is not gVisor: --version prints "ls (GNU coreutils)'],
    ['that fails', () => fileOf('failing', '#!/bin/sh\nexit 3\n'), 'is not gVisor'],
  ])(
    'a program %s is refused in a sentence with its value and the next step',
    async (_kind, make, problem) => {
      const given = make();
      const refused = Promise.resolve().then(() => versionOf(given));
      await expect(refused).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(problem),
        fix: expect.stringContaining('set SANDBOX_RUNSC to the path of the program runsc'),
      });
      await expect(refused).rejects.toThrow(given);
    },
  );

  test('the version is that which the program prints', async () => {
    const file = fileOf('runsc', '#!/bin/sh\necho "runsc version release-20240729.0"\necho "spec: 1.1.0"\n');
    expect(await versionOf(file)).toBe('release-20240729.0');
  });
});
