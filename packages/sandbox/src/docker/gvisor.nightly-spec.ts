import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { ABUSE_TESTS, CONFORMANCE_TESTS, IMAGE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { NO_QUOTA } from '../testing/docker/exceptions.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import { findTestRunsc, GVISOR_EXCEPTIONS, GVISOR_TESTS } from '../testing/gvisor/fixture.js';

const found = findTestRunsc();
const reason = withoutDocker() ?? ('skipped' in found ? found.skipped : undefined);
// As docs/sandbox.md names them: the cgroups of containers are made by gVisor.
const NETWORK = ['--network=none'];
const NO_INODES = 'disks in the memory of gVisor count no inodes: the limit of memory holds for empty files';
const FORKS =
  'on gVisor forked processes share less memory (70 of Python take 520 MB), whose limit may end the bomb (gvisor.fork-bomb)';
const SUITES = [
  [
    'gVisor as the runtime of a daemon conforms',
    CONFORMANCE_TESTS,
    { exceptions: GVISOR_EXCEPTIONS.conformance, runtimeArgs: NETWORK },
  ],
  [
    'gVisor as the runtime of a daemon withstands abuse',
    [...ABUSE_TESTS, ...GVISOR_TESTS],
    {
      exceptions: { ...GVISOR_EXCEPTIONS.abuse, 'abuse.fs.files': NO_INODES, 'abuse.res.fork-bomb': FORKS },
      runtimeArgs: NETWORK,
    },
  ],
  [
    'gVisor as the runtime of a daemon runs images',
    IMAGE_TESTS,
    {
      exceptions: { ...GVISOR_EXCEPTIONS.images, 'image.disk': NO_QUOTA },
      runtimeArgs: [...NETWORK, '--overlay2=none'],
    },
  ],
] as const;

for (const [name, tests, { exceptions, runtimeArgs }] of SUITES) {
  if (reason !== undefined || 'skipped' in found) {
    test.skip(`${name}, but not here: ${reason}`, () => {});
    continue;
  }
  const runtime = { path: found.program, runtimeArgs };
  const docker = new PrivateEngine({ runtimes: { runsc: runtime } });
  let image = '';
  sandboxSuite(name, tests, {
    createProvider: async () => {
      await docker.start();
      await docker.importImage();
      image = await docker.makeSuiteImage();
      const provider = await docker.open({ runtime: 'runsc', allowsRootOfMachine: runtimeArgs.length > 1 });
      expect(provider.isolation).toBe('full');
      expect(provider.capabilities).toMatchObject({ strongIsolation: true, images: runtimeArgs.length > 1 });
      return provider;
    },
    image: () => image,
    hostDirectories: tmpdir(),
    exceptions,
    expectNothingLeft: () => docker.close(),
  });
}
