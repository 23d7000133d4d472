import { tmpdir } from 'node:os';
import { test } from '@jest/globals';
import { CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`a Docker daemon conforms: ${reason}`, () => {});
} else {
  const docker = new PrivateEngine();
  sandboxSuite('a Docker daemon conforms', CONFORMANCE_TESTS, {
    createProvider: async () => {
      await docker.start();
      await docker.importImage();
      return await docker.open();
    },
    hostDirectories: tmpdir(),
    expectNothingLeft: () => docker.close(),
  });
}
