import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { FILE_TESTS } from '../conformance/file-tests.js';
import { IMAGE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { NO_QUOTA } from '../testing/docker/exceptions.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';

const UNREAD = 'the program is public; root of a container may read what the volume shows';
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
