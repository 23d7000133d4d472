import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { FILE_TESTS } from '../conformance/file-tests.js';
import { SNAPSHOT_TESTS } from '../conformance/snapshot-tests.js';
import { IMAGE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { findProgram } from '../host/config.js';
import { NO_QUOTA } from '../testing/docker/exceptions.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';

const TEST_MS = 120_000;
const UNREAD = 'the program is public; root of a container may read what the volume shows';
const SPEC = { limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } };

function missing(program: string, aptPackage: string): string | undefined {
  return findProgram(program) === undefined ? `apt-get install -y ${aptPackage}` : undefined;
}

const noDaemon = withoutDocker();
if (noDaemon !== undefined) {
  test.skip(`a daemon with user namespaces gives root in images: ${noDaemon}`, () => {});
} else {
  const docker = new PrivateEngine({ 'userns-remap': 'daemon' }, { subordinateIds: 'daemon:100000:65536' });
  let image = '';
  const tests = [...IMAGE_TESTS, ...FILE_TESTS];
  sandboxSuite('a daemon with user namespaces gives root in images', tests, {
    createProvider: async () => {
      await docker.start();
      await docker.importImage();
      image = await docker.makeSuiteImage();
      const provider = await docker.open();
      expect(provider.capabilities).toMatchObject({ rootInImages: true, imageBuilds: true });
      return provider;
    },
    image: () => image,
    hostDirectories: tmpdir(),
    exceptions: { 'image.own-program-unread': UNREAD, 'image.disk': NO_QUOTA },
    expectNothingLeft: () => docker.close(),
  });
}

const noGvisor = withoutDocker() ?? missing('runsc', 'runsc');
if (noGvisor !== undefined) {
  test.skip(`gVisor runs sandboxes of a daemon: ${noGvisor}`, () => {});
} else {
  const runtime = {
    path: findProgram('runsc'),
    runtimeArgs: ['--platform=ptrace', '--network=none', '--ignore-cgroups'],
  };
  const docker = new PrivateEngine({ runtimes: { runsc: runtime } });
  sandboxSuite('gVisor runs sandboxes of a daemon', [...FILE_TESTS, ...SNAPSHOT_TESTS], {
    isQuick: true,
    createProvider: async () => {
      await docker.start();
      await docker.importImage();
      const provider = await docker.open({ runtime: 'runsc' });
      expect(provider.capabilities).toMatchObject({ strongIsolation: true, rootInImages: true });
      return provider;
    },
    expectNothingLeft: () => docker.close(),
  });

  describe('the runtime of a daemon', () => {
    const other = new PrivateEngine();
    beforeAll(async () => {
      await other.start();
      await other.importImage();
    }, TEST_MS);
    afterAll(() => other.close(), TEST_MS);

    test(
      'a runtime that is not registered with the daemon is refused with those that are',
      async () => {
        await expect(other.open({ runtime: 'absent' })).rejects.toMatchObject({
          code: 'unavailable',
          fix: expect.stringContaining('runc'),
        });
        const provider = await other.open();
        expect(provider.capabilities.strongIsolation).toBe(false);
        expect((await (await provider.create(SPEC)).exec(['true'])).exitCode).toBe(0);
        await provider.close();
      },
      TEST_MS,
    );
  });
}
