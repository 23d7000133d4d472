import { waitFor } from '@agentclash/testkit';
import { expect, test } from '@jest/globals';
import { LIMITS } from '../../conformance/bench.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';

const TEST_MS = 180_000;

if (process.env.AGENTCLASH_TEST_KUBECONFIG === undefined) {
  test.skip('pods of a real cluster wait for sandboxes: set AGENTCLASH_TEST_KUBECONFIG (pnpm test:kubernetes)', () => {});
} else {
  test(
    'pods of a real cluster wait for sandboxes, none is used twice, and none stays',
    async () => {
      const cluster = new RealCluster(process.env);
      await cluster.start();
      const provider = cluster.openAsEnforced({ pool: { size: 2, sizeMax: 4, idleMs: TEST_MS } });
      const api = cluster.api();
      const waiting = async () => {
        const pods = await api.listPods('');
        const running = pods.filter(({ status }) => status?.phase === 'Running');
        return running.map(({ metadata }) => metadata.name);
      };
      const spec = { limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } };
      for (let round = 0; round < 2; round++) await (await provider.create(spec)).destroy();
      const used = new Set<string>();
      for (let round = 0; round < 3; round++) {
        const before = await waitFor(async () => {
          const names = await waiting();
          return names.length === 2 && names;
        });
        const session = await provider.create(spec);
        expect(before).toContain(session.id);
        used.add(session.id);
        const { stdout } = await session.exec(['sh', '-c', 'ls; echo x > left']);
        expect(stdout.toString()).toBe('');
        await session.destroy();
      }
      expect(used.size).toBe(3);
      await api.close();
      await provider.close();
      await cluster.expectNothingLeft();
    },
    TEST_MS,
  );
}
