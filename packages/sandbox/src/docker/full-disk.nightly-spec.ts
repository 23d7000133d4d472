import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { findProgram } from '../host/config.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';

const TEST_MS = 120_000;
const DISK_BYTES = 1024 ** 3;
const SPEC = { limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } };
const FULL = {
  code: 'unavailable',
  message: 'the disk of the Docker daemon is full',
  fix: expect.stringContaining('free space'),
};

function withoutDisks(): string | undefined {
  if (findProgram('mkfs.ext4') === undefined) return 'mkfs.ext4 is not installed';
  return existsSync('/dev/loop-control') ? undefined : 'this machine has no loop devices';
}

const reason = withoutDocker() ?? withoutDisks();
if (reason !== undefined) {
  test.skip(`a Docker daemon whose disk is full is an error with the next step, but not here: ${reason}`, () => {});
} else {
  describe('a Docker daemon whose disk is full', () => {
    const docker = new PrivateEngine();
    const data = path.join(docker.directory, 'data');
    const filler = path.join(data, 'filler');
    beforeAll(async () => {
      const disk = path.join(docker.directory, 'disk');
      writeFileSync(disk, '');
      truncateSync(disk, DISK_BYTES);
      execFileSync(findProgram('mkfs.ext4') ?? '', ['-q', '-F', disk]);
      mkdirSync(data, { mode: 0o711 });
      execFileSync('mount', ['-o', 'loop', disk, data]);
      await docker.start();
      await docker.importImage();
    }, TEST_MS);
    afterAll(() => docker.close(), TEST_MS);

    /** Root may use the blocks that are reserved, too. */
    const fill = () => execFileSync('sh', ['-c', 'cat /dev/zero > "$1" 2>/dev/null || true', 'sh', filler]);

    test(
      'a full disk is named with the next step, at the start of an executor and for a sandbox, and with space both work again',
      async () => {
        const provider = await docker.open({ pool: { size: 0 } });
        fill();
        await expect(provider.create(SPEC)).rejects.toMatchObject(FULL);
        await expect(docker.open({ owner: 'other' })).rejects.toMatchObject(FULL);
        rmSync(filler);
        expect(await docker.containers()).toEqual([]);
        const session = await provider.create(SPEC);
        expect((await session.exec(['true'])).exitCode).toBe(0);
        await provider.close();
        await (await docker.open({ owner: 'other' })).close();
      },
      TEST_MS,
    );
  });
}
