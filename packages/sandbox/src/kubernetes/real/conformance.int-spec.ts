import { test } from '@jest/globals';
import { CONFORMANCE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';

if (process.env.AGENTCLASH_TEST_KUBECONFIG === undefined) {
  test.skip('a real cluster conforms: set AGENTCLASH_TEST_KUBECONFIG (pnpm test:kubernetes)', () => {});
} else {
  const cluster = new RealCluster(process.env);
  sandboxSuite('a real cluster conforms', CONFORMANCE_TESTS, {
    isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
    createProvider: async () => {
      await cluster.start();
      return cluster.openAsEnforced();
    },
    expectNothingLeft: () => cluster.expectNothingLeft(),
  });
}
