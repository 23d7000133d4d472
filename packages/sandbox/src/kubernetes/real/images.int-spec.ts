import { expect, test } from '@jest/globals';
import { IMAGE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';

const { AGENTCLASH_TEST_KUBECONFIG, AGENTCLASH_TEST_IMAGE } = process.env;

if (AGENTCLASH_TEST_KUBECONFIG === undefined || AGENTCLASH_TEST_IMAGE === undefined) {
  test.skip('a real cluster runs images: set AGENTCLASH_TEST_KUBECONFIG and AGENTCLASH_TEST_IMAGE (pnpm test:kubernetes)', () => {});
} else {
  const cluster = new RealCluster(process.env, 'baseline');
  sandboxSuite('a real cluster runs images', IMAGE_TESTS, {
    createProvider: async () => {
      await cluster.start();
      const provider = await cluster.open({ allowsRootOfNode: true });
      expect(provider.capabilities).toMatchObject({ images: true, rootInImages: true });
      return provider;
    },
    hostDirectories: cluster.claim?.directory,
    image: () => cluster.image,
    exceptions: {
      'image.disk': 'the root of a container has no size: the node watches it and evicts the pod',
      'image.own-program-unread': 'the program is public; root of a pod may read what the volume shows',
      ...(cluster.claim === undefined && {
        'image.directories':
          'no directory of this machine is one of the nodes (AGENTCLASH_TEST_PACKAGES_DIR)',
      }),
    },
    expectNothingLeft: () => cluster.expectNothingLeft(),
  });
}
