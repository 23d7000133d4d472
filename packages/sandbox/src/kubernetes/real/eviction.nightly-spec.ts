import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';
import type { KubernetesProvider } from '../provider.js';

const { AGENTCLASH_TEST_KUBECONFIG, AGENTCLASH_TEST_IMAGE } = process.env;
/** A kubelet measures disks every ten seconds, and less often where its node has much to do. */
const TEST_MS = 240_000;
const SPEC = {
  limits: { cpu: 1, memoryBytes: 128 << 20, pids: 64, workspaceBytes: 16 << 20 },
  labels: { runId: 'r', attemptId: 'a' },
  // Nothing renews it while the node measures.
  leaseMs: TEST_MS,
};
/** Larger than a disk that lies in memory. */
const ON_DISK_BYTES = 257 << 20;

if (AGENTCLASH_TEST_KUBECONFIG === undefined || AGENTCLASH_TEST_IMAGE === undefined) {
  test.skip('a real cluster evicts pods: set AGENTCLASH_TEST_KUBECONFIG and AGENTCLASH_TEST_IMAGE (pnpm test:kubernetes)', () => {});
} else {
  describe('the disks of pods in a real cluster', () => {
    const cluster = new RealCluster(process.env, 'baseline');
    let provider: KubernetesProvider;
    beforeAll(async () => {
      await cluster.start();
      provider = await cluster.open({ allowsRootOfNode: true });
    }, TEST_MS);
    afterAll(async () => {
      await provider.close();
      await cluster.expectNothingLeft();
    }, TEST_MS);

    const image = { reference: AGENTCLASH_TEST_IMAGE, runAsRoot: true };
    const large = { ...SPEC.limits, workspaceBytes: ON_DISK_BYTES };
    test.each([
      ['the root of an image', { ...SPEC, image }, '/var/large', 256],
      ['a workspace on the disk of the node', { ...SPEC, limits: large }, '/workspace/large', 400],
    ])(
      'a pod that writes more than it may to %s is evicted, with the reason of the node',
      async (_, spec, file, mib) => {
        const session = await provider.create(spec);
        const filling = session.exec(['sh', '-c', `head -c ${mib}M /dev/zero > ${file}; sleep 600`]);
        await expect(filling).rejects.toMatchObject({ code: 'sandbox_dead', death: 'killed' });
        expect((await session.ended).detail).toContain('Evicted: ');
        await session.destroy();
      },
      TEST_MS,
    );
  });
}
