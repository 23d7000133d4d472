import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../conformance/bench.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';

const TEST_MS = 120_000;
/** Of the runtime that nodes have by default. */
const HANDLER = 'runc';

if (process.env.AGENTCLASH_TEST_KUBECONFIG === undefined) {
  test.skip('a real cluster has runtime classes: set AGENTCLASH_TEST_KUBECONFIG (pnpm test:kubernetes)', () => {});
} else {
  describe('the runtime class of sandboxes in a real cluster', () => {
    const cluster = new RealCluster(process.env);
    beforeAll(() => cluster.start(), TEST_MS);
    afterAll(() => cluster.expectNothingLeft(), TEST_MS);

    test(
      'sandboxes run with the runtime class of the configuration',
      async () => {
        const runtimeClassName = await cluster.createRuntimeClass(HANDLER);
        const provider = cluster.openAsEnforced({ runtimeClassName });
        const labels = { runId: 'r', attemptId: 'a' };
        const session = await provider.create({ limits: LIMITS, labels });
        expect(await cluster.runtimeClassOf(session.id)).toBe(runtimeClassName);
        expect((await session.exec(['true'])).exitCode).toBe(0);
        await provider.close();
      },
      TEST_MS,
    );

    test(
      'a runtime class that the cluster lacks is refused at start, by its name',
      async () => {
        await expect(cluster.open({ runtimeClassName: 'absent' })).rejects.toMatchObject({
          code: 'unavailable',
          message: 'the cluster has no RuntimeClass absent',
          fix: expect.stringContaining('SANDBOX_RUNTIME_CLASS'),
        });
      },
      TEST_MS,
    );
  });
}
