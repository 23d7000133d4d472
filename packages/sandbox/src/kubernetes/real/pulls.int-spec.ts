import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../conformance/bench.js';
import { FakeRegistry } from '../../testing/kubernetes/fake-registry.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';
import type { KubernetesProvider } from '../provider.js';

const { AGENTCLASH_TEST_KUBECONFIG, AGENTCLASH_TEST_NODE_IS_HERE } = process.env;
const TEST_MS = 120_000;
const ABSENT = `sha256:${'0'.repeat(64)}`;

if (AGENTCLASH_TEST_KUBECONFIG === undefined || AGENTCLASH_TEST_NODE_IS_HERE !== 'true') {
  test.skip('a real cluster pulls images: set AGENTCLASH_TEST_KUBECONFIG and AGENTCLASH_TEST_NODE_IS_HERE (pnpm test:kubernetes)', () => {});
} else {
  describe('a real cluster pulls images', () => {
    const cluster = new RealCluster(process.env, 'baseline');
    /** Of what has begun, should the set-up fail half-way. */
    const endings: (() => unknown)[] = [];
    let registry: FakeRegistry;
    let provider: KubernetesProvider;

    beforeAll(async () => {
      registry = await FakeRegistry.start();
      endings.unshift(() => registry.close());
      await cluster.start();
      provider = await cluster.open();
      endings.unshift(() => provider.close());
    }, TEST_MS);
    afterAll(async () => {
      for (const end of endings) await end();
      await cluster.expectNothingLeft();
    }, TEST_MS);

    test(
      'an image is pulled once, and its digest and environment are known before a sandbox is created',
      async () => {
        const phases: string[] = [];
        const reference = registry.image('small');
        const onProgress = ({ phase }: { phase: string }) => phases.push(phase);
        const prepared = await provider.prepareImage(reference, { onProgress });
        expect(prepared).toEqual({
          reference,
          digest: reference.split('@')[1],
          env: { PATH: expect.any(String), OF_IMAGE: 'yes' },
        });
        expect(await provider.prepareImage(reference, { onProgress })).toBe(prepared);
        expect(phases).toEqual(['pull']);
      },
      TEST_MS,
    );

    test(
      'an image of 40 layers is pulled, and root in one is refused where a pod has no user namespace',
      async () => {
        const reference = registry.image('layers', { layers: 40 });
        await provider.prepareImage(reference);
        const labels = { runId: 'r', attemptId: 'a' };
        const asRoot = provider.create({ limits: LIMITS, labels, image: { reference, runAsRoot: true } });
        await expect(asRoot).rejects.toMatchObject({ code: 'unsupported', capability: 'rootInImages' });
      },
      TEST_MS,
    );

    test.each([
      ['invalid_image', 'does not exist', 'absent', () => `${registry.host}/absent@${ABSENT}`],
      ['invalid_image', 'needs a login', 'private', () => `${registry.host}/private@${ABSENT}`],
      [
        'invalid_image',
        'has no variant for the machines',
        'foreign',
        () => registry.image('foreign', { architecture: 's390x' }),
      ],
      ['invalid_image', 'is damaged', 'damaged', () => registry.image('damaged', { isDamaged: true })],
      ['invalid_image', 'lower-case letters', 'Capital', () => `${registry.host}/Capital letters`],
      ['unavailable', 'cannot be pulled now', 'down', () => `${registry.host}/down@${ABSENT}`],
      ['unavailable', 'cannot be pulled now', 'busy', () => `${registry.host}/busy@${ABSENT}`],
    ] as const)(
      'an image that cannot be pulled is %s, "%s", with its name and the next step: %s',
      async (code, problem, name, reference) => {
        const failed = provider.prepareImage(reference());
        await expect(failed).rejects.toMatchObject({
          code,
          message: expect.stringContaining(problem),
          fix: expect.any(String),
        });
        await expect(failed).rejects.toThrow(name);
      },
      TEST_MS,
    );
  });
}
