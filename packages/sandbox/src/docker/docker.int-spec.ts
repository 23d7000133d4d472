import { tmpdir } from 'node:os';
import { test } from '@jest/globals';
import { CONFORMANCE_TESTS, IMAGE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';

/** A part of every kind; the whole suites are nightly tests. */
const SHORT = new Set([
  ...[
    'exec.exit-codes',
    'exec.environment',
    'exec.stdin',
    'exec.timeout',
    'files.round-trip',
    'life.destroy',
  ],
  ...[
    'snapshot.round-trip',
    'directories.read-only',
    'proxy.http',
    'image.contents',
    'image.snapshot',
    'image.unknown',
  ],
]);
const TESTS = [...CONFORMANCE_TESTS, ...IMAGE_TESTS].filter(({ id }) => SHORT.has(id));

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`a Docker daemon runs sandboxes: ${reason}`, () => {});
} else {
  const docker = new PrivateEngine();
  let image = '';
  sandboxSuite('a Docker daemon runs sandboxes', TESTS, {
    isQuick: true,
    createProvider: async () => {
      await docker.start();
      await docker.importImage();
      image = await docker.makeSuiteImage();
      return await docker.open({ allowsRootOfMachine: true });
    },
    image: () => image,
    hostDirectories: tmpdir(),
    expectNothingLeft: () => docker.close(),
  });
}
