import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SandboxSpec } from '../spec.js';
import { TestProvider } from '../testing/test-provider.js';
import { findImageMaker } from './disk-image.js';

const MIB = 1 << 20;
const SPEC: SandboxSpec = {
  limits: { cpu: 1, memoryBytes: 64 * MIB, pids: 32, workspaceBytes: MIB },
  labels: { runId: 'r', attemptId: 'a' },
};
const REFUSED = { code: 'unavailable', fix: expect.stringContaining('free space') };

const isRoot = process.getuid?.() === 0;
(isRoot ? describe : describe.skip)('a full state folder (needs root, to mount a small disk on it)', () => {
  const disk = mkdtempSync(path.join(tmpdir(), 'agentclash-full-'));
  const filler = path.join(disk, 'filler');
  beforeAll(() => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=755', 'agentclash-full', disk]);
    chmodSync(disk, 0o755);
  });
  afterAll(() => {
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });

  const fill = () => {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  };
  const freeSpace = () => rmSync(filler, { force: true });

  test('no sandbox opens on a full disk and none leaves files; with free space one opens again', async () => {
    const machine = new TestProvider(disk);
    const provider = await machine.open();
    const survivor = await provider.create(SPEC);
    fill();
    try {
      for (let round = 0; round < 20; round++)
        await expect(provider.create(SPEC)).rejects.toMatchObject(REFUSED);
      expect(machine.records()).toHaveLength(1);
      expect((await survivor.exec(['echo', 'alive'])).stdout.toString()).toBe('alive\n');
      await survivor.destroy();
    } finally {
      freeSpace();
    }
    const session = await provider.create(SPEC);
    expect((await session.exec(['echo', 'again'])).stdout.toString()).toBe('again\n');
    await provider.close();
    await machine.expectNothingLeft();
  });

  const canMakeImages = findImageMaker(isRoot) !== undefined;
  (canMakeImages ? test : test.skip)(
    'a disk image is refused before its sandbox opens, not when the agent writes to it (needs root, loop devices and mkfs.ext4)',
    async () => {
      const machine = new TestProvider(disk);
      const provider = await machine.open({ memoryDiskBytesMax: MIB });
      const large = { ...SPEC, limits: { ...SPEC.limits, workspaceBytes: 40 * MIB } };
      await expect(provider.create(large)).rejects.toMatchObject(REFUSED);
      const small = { ...SPEC, limits: { ...SPEC.limits, workspaceBytes: 8 * MIB } };
      const session = await provider.create(small);
      fill();
      const written = await session.exec(['sh', '-c', 'head -c 7M /dev/zero > f && sync f && wc -c < f']);
      expect(`${written.stdout}${written.stderr}`).toBe('7340032\n');
      freeSpace();
      await provider.close();
      await machine.expectNothingLeft();
    },
  );
});
