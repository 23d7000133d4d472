import { test } from '@jest/globals';
import { ABUSE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { OF_CONTAINERS } from '../testing/docker/exceptions.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`a Docker daemon withstands abuse: ${reason}`, () => {});
} else {
  const docker = new PrivateEngine();
  sandboxSuite('a Docker daemon withstands abuse', ABUSE_TESTS, {
    createProvider: async () => {
      await docker.start();
      await docker.importImage();
      return await docker.open();
    },
    exceptions: OF_CONTAINERS,
    expectNothingLeft: () => docker.close(),
  });
}
