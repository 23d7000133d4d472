import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import { FakeRegistry } from '../testing/kubernetes/fake-registry.js';
import type { DockerProvider } from './provider.js';

const TEST_MS = 120_000;
const ABSENT = `sha256:${'0'.repeat(64)}`;

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`a Docker daemon pulls images: ${reason}`, () => {});
} else {
  describe('a Docker daemon pulls images', () => {
    const docker = new PrivateEngine();
    let registry: FakeRegistry;
    let provider: DockerProvider;
    beforeAll(async () => {
      registry = await FakeRegistry.start();
      await docker.start();
      await docker.importImage();
      provider = await docker.open();
    }, TEST_MS);
    afterAll(async () => {
      registry.close();
      await docker.close();
    }, TEST_MS);

    test(
      'an image is pulled once, with progress, and its digest and environment are known before a sandbox is created',
      async () => {
        const phases = new Set<string>();
        const reference = registry.image('small');
        const onProgress = ({ phase }: { phase: string }) => phases.add(phase);
        const prepared = await provider.prepareImage(reference, { onProgress });
        expect(prepared).toMatchObject({
          reference,
          digest: reference.split('@')[1],
          env: { OF_IMAGE: 'yes' },
        });
        expect(phases).toContain('pull');
        phases.clear();
        expect(await provider.prepareImage(reference, { onProgress })).toEqual(prepared);
        expect(phases.size).toBe(0);
      },
      TEST_MS,
    );

    test(
      'an image of 40 layers is pulled, and root in one is refused where nothing isolates root',
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
        'has no variant for the machine',
        'foreign',
        () => registry.image('foreign', { architecture: 's390x' }),
      ],
      ['invalid_image', 'is damaged', 'damaged', () => registry.image('damaged', { isDamaged: true })],
      ['invalid_image', 'lower-case letters', 'Capital', () => `${registry.host}/Capital letters`],
      ['unavailable', 'cannot be pulled now', 'down', () => `${registry.host}/down@${ABSENT}`],
      ['unavailable', 'cannot be pulled now', 'busy', () => `${registry.host}/busy@${ABSENT}`],
      ['unavailable', 'cannot be pulled now', '127.0.0.1:1', () => `127.0.0.1:1/none@${ABSENT}`],
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

    test.each([
      ['down', {}],
      ['absent', {}],
      ['down', { pulls: false }],
    ])(
      'a default image that is not there is refused at the start with an image of the daemon as a next step: %s, %j',
      async (name, options) => {
        const opened = docker.open({ image: `${registry.host}/${name}:v1`, ...options });
        await expect(opened).rejects.toMatchObject({ fix: expect.stringContaining('SANDBOX_IMAGE') });
        await expect(opened).rejects.toThrow(`${registry.host}/${name}:v1`);
      },
      TEST_MS,
    );

    test(
      'without registries nothing is pulled',
      async () => {
        const closed = await docker.open({ pulls: false });
        await expect(closed.prepareImage(registry.image('closed'))).rejects.toMatchObject({
          code: 'invalid_image',
        });
        await closed.close();
      },
      TEST_MS,
    );
  });
}
