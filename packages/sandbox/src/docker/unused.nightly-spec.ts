import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import { Engine } from './engine.js';
import { LABEL, MANAGER } from './engine-objects.js';
import { ImageCache } from './image-cache.js';

const TEST_MS = 120_000;
const SPEC = { limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } };
const MIB = 1024 * 1024;

/** Images that were just used stay. */
class EngineAnHourLater extends Engine {
  override now(): number {
    return super.now() + 3_600_000;
  }
}

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`what a Docker daemon keeps for sandboxes is bounded: ${reason}`, () => {});
} else {
  describe('images and volumes that sandboxes leave on a Docker daemon', () => {
    const docker = new PrivateEngine();
    beforeAll(async () => {
      await docker.start();
      await docker.importImage();
    }, TEST_MS);
    afterAll(() => docker.close(), TEST_MS);

    const evict = (bytesMax: number) =>
      new ImageCache(new EngineAnHourLater(docker.address), bytesMax).evict();

    async function tags(): Promise<string[]> {
      const images = await docker.engine.get<{ RepoTags: string[] | null }[]>('/images/json');
      return images.flatMap(({ RepoTags }) => RepoTags ?? []).sort();
    }

    /** With a layer of 8 MiB of its own, under these names. */
    async function commit(name: string, ...names: string[]): Promise<void> {
      const body = { Image: 'sandbox.invalid/host', Cmd: ['sh', '-c', `head -c 8M /dev/urandom > /${name}`] };
      await docker.engine.post('/containers/create', { query: { name }, body });
      await docker.engine.post(`/containers/${name}/start`);
      await docker.engine.post(`/containers/${name}/wait`);
      const { Id } = await docker.engine.post<{ Id: string }>('/commit', {
        query: { container: name },
        body: {},
      });
      await docker.engine.json('DELETE', `/containers/${name}`);
      for (const each of names) {
        const [repo = '', tag = ''] = each.split(':');
        await docker.engine.post(`/images/${Id}/tag`, { query: { repo, tag } });
      }
    }

    test(
      'those of ours go, the oldest first, but none that a container has, and none of the user',
      async () => {
        await commit('one', 'agentclash/built:one');
        await commit('two', 'agentclash/loaded:two');
        await commit('three', 'agentclash/pulled:three', 'user.invalid/three:v1');
        await commit('four', 'agentclash/sandbox:four');
        await commit('five', 'user.invalid/five:v1');
        const body = { Image: 'agentclash/built:one', Cmd: ['true'] };
        await docker.engine.post('/containers/create', { query: { name: 'of-one' }, body });
        await evict(40 * MIB);
        expect((await tags()).filter((tag) => tag.startsWith('agentclash/'))).toHaveLength(4);
        await evict(25 * MIB);
        const users = ['sandbox.invalid/host:latest', 'user.invalid/five:v1', 'user.invalid/three:v1'];
        const others = ['agentclash/pulled:three', 'agentclash/sandbox:four'];
        expect(await tags()).toEqual(['agentclash/built:one', ...others, ...users].sort());
        await evict(0);
        expect(await tags()).toEqual(['agentclash/built:one', ...users].sort());
        await docker.engine.json('DELETE', '/containers/of-one');
        await evict(0);
        expect(await tags()).toEqual(users);
      },
      TEST_MS,
    );

    test(
      'a start removes volumes of all but the newest other versions, and none that a container has',
      async () => {
        const volume = async (Name: string) => {
          const Labels = { [LABEL.managedBy]: MANAGER };
          await docker.engine.post('/volumes/create', { body: { Name, Labels } });
        };
        const volumes = async () => {
          const { Volumes } = await docker.engine.get<{ Volumes: { Name: string }[] }>('/volumes');
          return Volumes.map(({ Name }) => Name).sort();
        };
        const inside = (version: number) => `agentclash-inside-${String(version).repeat(16)}`;
        await docker.engine.post('/volumes/create', { body: { Name: 'agentclash-inside-of-user' } });
        // The daemon counts in seconds: all of these are equally old.
        for (let version = 0; version < 6; version++) await volume(inside(version));
        await volume(`${inside(0)}-ro`);
        const Mounts = [{ Type: 'volume', Source: `${inside(0)}-ro`, Target: '/x' }];
        const body = { Image: 'sandbox.invalid/host', Cmd: ['true'], HostConfig: { Mounts } };
        await docker.engine.post('/containers/create', { query: { name: 'of-volume' }, body });
        const provider = await docker.open();
        const left = await volumes();
        expect(left).toContain('agentclash-inside-of-user');
        expect(left.filter((name) => /-(\d)\1{15}(-ro)?$/.test(name)).length).toBeLessThanOrEqual(4);
        expect(left.includes(inside(0))).toBe(left.includes(`${inside(0)}-ro`));
        expect(left).toContain(inside(0));
        await docker.engine.json('DELETE', '/containers/of-volume');
        await docker.engine.json('DELETE', '/volumes/agentclash-inside-of-user');
        const session = await provider.create(SPEC);
        expect((await session.exec(['true'])).exitCode).toBe(0);
        await session.destroy();
        await provider.close();
        expect(docker.problems).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'the volume of the program is made again by the next reap where it was removed',
      async () => {
        const provider = await docker.open({ pool: { size: 0 } });
        const { Volumes } = await docker.engine.get<{ Volumes: { Name: string }[] }>('/volumes');
        for (const { Name } of Volumes) await docker.engine.json('DELETE', `/volumes/${Name}`);
        await provider.reap();
        const session = await provider.create(SPEC);
        expect((await session.exec(['true'])).exitCode).toBe(0);
        await session.destroy();
        await provider.close();
      },
      TEST_MS,
    );
  });
}
