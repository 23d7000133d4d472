import { expect, test } from '@jest/globals';
import { ABUSE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';

/** The environment's declaration about the cluster, which must hold: a pod in it is probed. */
const ENFORCES_POLICIES = process.env.AGENTCLASH_TEST_NETWORK_POLICIES === 'true';

if (process.env.AGENTCLASH_TEST_KUBECONFIG === undefined) {
  test.skip('a real cluster withstands abuse: set AGENTCLASH_TEST_KUBECONFIG (pnpm test:kubernetes)', () => {});
} else {
  const cluster = new RealCluster(process.env);
  sandboxSuite('a real cluster withstands abuse', ABUSE_TESTS, {
    isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
    createProvider: async () => {
      await cluster.start();
      const provider = await cluster.open();
      expect(provider.enforcement === 'enforced').toBe(ENFORCES_POLICIES);
      return provider;
    },
    exceptions: {
      'abuse.fs.host-directories':
        'the root of a pod is its image, whose directories are not those of the host',
      'abuse.fs.kernel-directories': 'runtimes show pods /sys, read-only, with the cgroup of the pod alone',
      'abuse.fs.files': 'a volume of a pod has a size and no number of files',
      'abuse.res.terminals':
        'the kernel of a node counts terminals for all pods; gVisor and Kata have their own',
      ...(!ENFORCES_POLICIES && {
        'abuse.net.unreachable':
          'this cluster enforces no network policies (AGENTCLASH_TEST_NETWORK_POLICIES)',
      }),
    },
    expectNothingLeft: () => cluster.expectNothingLeft(),
  });
}
