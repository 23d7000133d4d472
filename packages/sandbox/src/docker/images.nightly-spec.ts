import { tmpdir } from 'node:os';
import { test } from '@jest/globals';
import { ABUSE_TESTS, CONFORMANCE_TESTS, IMAGE_TESTS, sandboxSuite } from '../conformance/suite.js';
import {
  NO_QUOTA,
  OF_CONTAINERS,
  OF_IMAGES,
  OF_IMAGES_AS_ROOT,
  OF_IMAGES_AS_USER,
} from '../testing/docker/exceptions.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';

const reason = withoutDocker();

function suite(
  title: string,
  tests: Parameters<typeof sandboxSuite>[1],
  options: { exceptions: Readonly<Record<string, string>>; runAsRoot?: boolean },
): void {
  if (reason !== undefined) {
    test.skip(`${title} where a daemon can be started: ${reason}`, () => {});
    return;
  }
  const docker = new PrivateEngine();
  const { runAsRoot, exceptions } = options;
  let reference = '';
  sandboxSuite(title, tests, {
    isQuick: true,
    createProvider: async () => {
      await docker.start();
      await docker.importImage();
      reference = await docker.makeSuiteImage();
      return await docker.open({ allowsRootOfMachine: true });
    },
    image: () => reference,
    ...(runAsRoot !== undefined && { spec: () => ({ image: { reference, runAsRoot } }) }),
    hostDirectories: tmpdir(),
    exceptions,
    expectNothingLeft: () => docker.close(),
  });
}

suite('a Docker daemon runs images', IMAGE_TESTS, {
  exceptions: {
    'image.disk': NO_QUOTA,
    'image.own-program-unread': 'the program is public; root of a container may read what the volume shows',
  },
});

const ALL = [...CONFORMANCE_TESTS, ...ABUSE_TESTS];

suite('an image in a container as a user keeps the guarantees of every sandbox', ALL, {
  runAsRoot: false,
  exceptions: { ...OF_IMAGES, ...OF_CONTAINERS, ...OF_IMAGES_AS_USER },
});

suite('an image in a container as root keeps the guarantees of every sandbox', ALL, {
  runAsRoot: true,
  exceptions: { ...OF_IMAGES, ...OF_CONTAINERS, ...OF_IMAGES_AS_ROOT },
});
