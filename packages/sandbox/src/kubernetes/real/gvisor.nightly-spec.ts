import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FOUR_BUSY, LIMITS, sh } from '../../conformance/bench.js';
import { ABUSE_TESTS, CONFORMANCE_TESTS, IMAGE_TESTS, sandboxSuite } from '../../conformance/suite.js';
import { GVISOR_EXCEPTIONS, GVISOR_TESTS } from '../../testing/gvisor/fixture.js';
import { cpuAtNode } from '../../testing/kubernetes/node-cpu.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';

const {
  AGENTCLASH_TEST_KUBECONFIG,
  AGENTCLASH_TEST_GVISOR_CLASS: runtimeClassName,
  AGENTCLASH_TEST_IMAGE,
  AGENTCLASH_TEST_NODE_IS_HERE,
} = process.env;

/** The differences from gVisor as the runtime of a Docker daemon. */
const OF_PODS = {
  'gvisor.memory':
    'no node reports that it ended the kernel of a pod for want of memory: an infrastructure error',
  'abuse.fs.host-directories': 'the root of a pod is its image, whose directories are not those of the host',
  'abuse.fs.files': 'a volume of a pod has a size and no number of files',
  'abuse.res.cpu': 'a kernel of its own knows no CPU time of the node, where it is measured below',
  'abuse.net.unreachable': 'the suite opens its provider as if the cluster enforced network policies',
};

const OF_CONFORMANCE = {
  'life.ping':
    'the cgroup that gVisor shows in a pod counts no kills for memory, and no CPU time of the node',
  'directories.read-only': 'the claim of the tests is on a directory of the node, and is refused at start',
};

const OF_IMAGES = {
  'image.disk': 'the root of a container has no size: the node watches it and evicts the pod',
};

const SUITES = [
  ['conforms', CONFORMANCE_TESTS, { ...GVISOR_EXCEPTIONS.conformance, ...OF_CONFORMANCE }],
  ['withstands abuse', [...ABUSE_TESTS, ...GVISOR_TESTS], { ...GVISOR_EXCEPTIONS.abuse, ...OF_PODS }],
  [
    'runs images',
    AGENTCLASH_TEST_IMAGE === undefined ? [] : IMAGE_TESTS,
    { ...GVISOR_EXCEPTIONS.images, ...OF_IMAGES },
  ],
] as const;

for (const [what, tests, exceptions] of SUITES) {
  const title = `gVisor as the runtime class of pods ${what}`;
  if (AGENTCLASH_TEST_KUBECONFIG === undefined || runtimeClassName === undefined) {
    test.skip(`${title}: set AGENTCLASH_TEST_KUBECONFIG and AGENTCLASH_TEST_GVISOR_CLASS (pnpm test:kubernetes)`, () => {});
    continue;
  }
  const hasImages = tests === IMAGE_TESTS;
  const cluster = new RealCluster(process.env, hasImages ? 'baseline' : 'restricted');
  sandboxSuite(title, tests, {
    isQuick: true,
    createProvider: async () => {
      await cluster.start();
      return cluster.openAsEnforced({ runtimeClassName, isStronglyIsolated: true });
    },
    image: () => cluster.image,
    hostDirectories: cluster.claim?.directory,
    exceptions,
    expectNothingLeft: () => cluster.expectNothingLeft(),
  });
}

const CLAIM_MS = 180_000;
/** Of the container `streams`, beside the limit of the sandbox. */
const STREAMS_CPU = 0.2;

if (AGENTCLASH_TEST_KUBECONFIG !== undefined && runtimeClassName !== undefined) {
  const cluster = new RealCluster(process.env);
  const { claim } = cluster;
  (claim === undefined ? describe.skip : describe)('a claim that pods on gVisor show sandboxes', () => {
    beforeAll(() => cluster.start(), CLAIM_MS);
    afterAll(() => cluster.expectNothingLeft(), CLAIM_MS);

    test(
      'an executor does not start where a pod truncates a file of it: the node has not mounted it read-only',
      async () => {
        await expect(cluster.open({ runtimeClassName })).rejects.toMatchObject({
          code: 'unavailable',
          message: 'pods can truncate files of the claim agent-packages',
          fix: expect.stringContaining('AGENT_PACKAGES_CLAIM'),
        });
      },
      CLAIM_MS,
    );
  });

  (AGENTCLASH_TEST_NODE_IS_HERE === 'true' ? describe : describe.skip)(
    'the CPU of pods on gVisor (AGENTCLASH_TEST_NODE_IS_HERE)',
    () => {
      const measured = new RealCluster(process.env);
      beforeAll(() => measured.start(), CLAIM_MS);
      afterAll(() => measured.expectNothingLeft(), CLAIM_MS);

      test(
        'four busy processes under a limit of one CPU use no more of the node than their pod may',
        async () => {
          const provider = measured.openAsEnforced({ runtimeClassName, isStronglyIsolated: true });
          try {
            const labels = { runId: 'conformance', attemptId: 'test' };
            const session = await provider.create({ labels, limits: LIMITS });
            const uid = await measured.uidOf(session.id);
            const [startedAt, before] = [performance.now(), cpuAtNode(uid)];
            await sh(session, FOUR_BUSY, { timeoutMs: 4_000 });
            const [usedMs, wallMs] = [cpuAtNode(uid).usedMs - before.usedMs, performance.now() - startedAt];
            const { cpuMs, processes } = await session.stats();
            expect([cpuMs, processes]).toEqual([undefined, expect.any(Number)]);
            expect(before.limit).toBeCloseTo(LIMITS.cpu + STREAMS_CPU);
            expect(usedMs).toBeGreaterThan(0);
            expect(usedMs).toBeLessThan(wallMs * before.limit * 1.1);
          } finally {
            await provider.close();
          }
        },
        CLAIM_MS,
      );
    },
  );
}
