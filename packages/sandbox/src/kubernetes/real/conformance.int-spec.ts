import { test } from '@jest/globals';
import { DIRECTORY_TESTS } from '../../conformance/directory-tests.js';
import { CONFORMANCE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';

const NONE = 'no directory of this machine is one of the nodes (AGENTCLASH_TEST_PACKAGES_DIR)';
const WITHOUT_DIRECTORY = Object.fromEntries(DIRECTORY_TESTS.map(({ id }) => [id, NONE]));

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
    hostDirectories: cluster.claim?.directory,
    exceptions: cluster.claim === undefined ? WITHOUT_DIRECTORY : {},
    expectNothingLeft: () => cluster.expectNothingLeft(),
  });
}
