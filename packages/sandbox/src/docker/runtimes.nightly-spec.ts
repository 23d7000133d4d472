import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tarOf } from '@agentclash/images/fixture';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { findProgram } from '../host/config.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import { findTestRunsc } from '../testing/gvisor/fixture.js';

const TEST_MS = 120_000;
const SPEC = { limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } };
const NETWORK = ['--network=none'];

const found = findTestRunsc();
const reason = withoutDocker() ?? ('skipped' in found ? found.skipped : undefined);
if (reason !== undefined || 'skipped' in found) {
  test.skip(`runtimes of a daemon are tried before they are used, but not here: ${reason}`, () => {});
} else {
  describe('the runtimes of a daemon', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-runtimes-'));
    const old = path.join(folder, 'runsc-old');
    writeFileSync(
      old,
      `#!/bin/sh\n[ "$1" = --version ] && echo 'runsc version 0.0~20221219.0' && exit\nexec ${found.program} "$@"\n`,
    );
    chmodSync(old, 0o755);
    const docker = new PrivateEngine({
      runtimes: {
        runsc: { path: found.program, runtimeArgs: NETWORK },
        'runsc-measured': { path: found.program, runtimeArgs: [...NETWORK, '--overlay2=none'] },
        'runsc-old': { path: old, runtimeArgs: NETWORK },
        'runsc-no-kernel': { path: findProgram('runc') ?? 'runc' },
      },
    });
    beforeAll(async () => {
      await docker.start();
      await docker.importImage();
    }, TEST_MS);
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await docker.close();
    }, TEST_MS);

    test(
      'a runtime that is not registered with the daemon is refused with those that are',
      async () => {
        await expect(docker.open({ runtime: 'absent' })).rejects.toMatchObject({
          code: 'unavailable',
          fix: expect.stringContaining('runc'),
        });
        const provider = await docker.open();
        expect(provider.capabilities.strongIsolation).toBe(false);
        expect((await (await provider.create(SPEC)).exec(['true'])).exitCode).toBe(0);
        await provider.close();
      },
      TEST_MS,
    );

    test(
      'a release of gVisor that is too old is refused by its version, with the next step',
      async () => {
        await expect(docker.open({ runtime: 'runsc-old' })).rejects.toMatchObject({
          code: 'unavailable',
          message: `the runtime runsc-old of the Docker daemon (${old}, 0.0~20221219.0) is too old: commands such as \`ls\` fail on it`,
          fix: expect.stringContaining('install gVisor 20240729 or newer'),
        });
      },
      TEST_MS,
    );

    test(
      'a runtime on which commands fail is refused with its version and their output, and leaves no container',
      async () => {
        const image = await imageWithoutLs(docker);
        await expect(docker.open({ image, runtime: 'runsc' })).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringMatching(/runtime runsc .*\d{8}.*commands fail .*bad address/),
          fix: expect.stringContaining('restart the daemon'),
        });
        expect(await docker.containers()).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'on gVisor packs have no root in images, and no images where the size of a root cannot be measured',
      async () => {
        const [bare, measured] = [
          await docker.open({ runtime: 'runsc' }),
          await docker.open({ runtime: 'runsc-measured' }),
        ];
        expect(bare.capabilities).toMatchObject({ images: false, rootInImages: false });
        expect(bare.shortfalls).toContainEqual({
          problem: expect.stringContaining('cannot be measured on the runtime runsc'),
          fix: expect.stringContaining('--overlay2=none'),
        });
        expect(measured.capabilities).toMatchObject({ images: true, rootInImages: false });
        await Promise.all([bare.close(), measured.close()]);
      },
      TEST_MS,
    );

    test(
      'a runtime that bears the name of gVisor and has the kernel of the daemon is refused',
      async () => {
        await expect(docker.open({ runtime: 'runsc-no-kernel' })).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('the kernel of the host'),
        });
      },
      TEST_MS,
    );
  });
}

/** As on releases of gVisor that lack a system call of `ls`. */
async function imageWithoutLs({ engine }: PrivateEngine): Promise<string> {
  const content = '#!/bin/sh\necho "ls: bad address" >&2\nexit 2\n';
  const body = await tarOf([{ name: 'usr/bin/ls', content, mode: 0o755 }]);
  const Image = 'sandbox.invalid/host';
  await engine.post('/containers/create', { query: { name: 'no-ls' }, body: { Image, Cmd: ['sh'] } });
  await engine.json('PUT', '/containers/no-ls/archive', { query: { path: '/' }, body });
  await engine.post('/commit', { query: { container: 'no-ls', repo: 'no-ls.invalid/image' }, body: {} });
  await engine.json('DELETE', '/containers/no-ls');
  return 'no-ls.invalid/image';
}
