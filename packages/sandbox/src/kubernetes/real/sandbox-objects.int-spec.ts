import { expect, test } from '@jest/globals';
import { EXEC_TESTS } from '../../conformance/exec-tests.js';
import { LIFECYCLE_TESTS } from '../../conformance/lifecycle-tests.js';
import { SNAPSHOT_TESTS } from '../../conformance/snapshot-tests.js';
import { sandboxSuite } from '../../conformance/suite.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';
import { SandboxController } from '../../testing/kubernetes/sandbox-controller.js';

if (process.env.AGENTCLASH_TEST_KUBECONFIG === undefined) {
  test.skip('a real cluster has sandboxes as objects: set AGENTCLASH_TEST_KUBECONFIG (pnpm test:kubernetes)', () => {});
} else {
  const cluster = new RealCluster(process.env);
  let controller: SandboxController | undefined;
  sandboxSuite(
    'a real cluster has sandboxes as objects',
    [...EXEC_TESTS, ...LIFECYCLE_TESTS, ...SNAPSHOT_TESTS],
    {
      isQuick: true,
      createProvider: async () => {
        await cluster.start();
        if (await cluster.defineSandboxes()) controller = new SandboxController(cluster.api());
        return cluster.openAsEnforced({ objects: 'sandboxes' });
      },
      expectNothingLeft: async () => {
        expect(await cluster.sandboxes()).toEqual([]);
        await controller?.close();
        await cluster.expectNothingLeft();
      },
    },
  );
}
