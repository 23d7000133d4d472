import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import { daemonObjects } from './made-objects.js';

const TEST_MS = 120_000;
const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`objects of sandboxes on a Docker daemon: ${reason}`, () => {});
} else {
  describe('objects of sandboxes on a Docker daemon', () => {
    const docker = new PrivateEngine();
    beforeAll(async () => {
      await docker.start();
      await docker.importImage();
    }, TEST_MS);
    afterAll(() => docker.close(), TEST_MS);

    test(
      'containers, volumes and tags of sandboxes are listed, those of the user are not',
      async () => {
        const given = { DOCKER_HOST: docker.address.url };
        await docker.engine.post('/volumes/create', { body: { Name: 'own-volume' } });
        await docker.engine.post('/images/sandbox.invalid/host/tag', {
          query: { repo: 'agentclash/pulled', tag: 'one' },
        });
        const provider = await docker.open();
        const session = await provider.create({ limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } });
        const during = await daemonObjects(given);
        expect(during).toMatchObject({ url: docker.address.url });
        expect(during.images.sort()).toEqual([
          'agentclash/pulled:one',
          // The default image with the names of our users.
          expect.stringMatching(/^agentclash\/sandbox:/),
        ]);
        expect(during.containers.map((name) => `/${name}`)).toEqual(await docker.containers());
        expect(during.containers).toHaveLength(1);
        expect(during.volumes).toEqual([expect.stringMatching(/^agentclash-inside-/)]);
        await session.destroy();
        expect(await daemonObjects(given)).toEqual({ ...during, containers: [] });
        await docker.engine.json('DELETE', '/volumes/own-volume');
      },
      TEST_MS,
    );

    test('a daemon that does not respond is an error', async () => {
      await expect(daemonObjects({ DOCKER_HOST: 'unix:///nowhere/docker.sock' })).rejects.toMatchObject({
        code: 'unavailable',
      });
    });
  });
}
