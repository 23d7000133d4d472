import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, LIMITS } from '../conformance/bench.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import type { ContainerDetails } from './engine-objects.js';

const TEST_MS = 120_000;
const LABELS = { runId: 'r', attemptId: 'a' };
const SPEC = { limits: LIMITS, labels: LABELS };
const LOADER = path.resolve(import.meta.dirname, '../../../testkit/src/jest/typescript.mjs');

/** An executor with one sandbox, whose id it prints, and one in its pool. */
function owner(address: object): string {
  const provider = path.resolve(import.meta.dirname, 'provider.ts');
  return `
    import { createDockerProvider } from ${JSON.stringify(provider)};
    const address = ${JSON.stringify(address)};
    const provider = await createDockerProvider({ address, image: 'sandbox.invalid/host', owner: 'killed', pool: { size: 1 } });
    await provider.create(${JSON.stringify(SPEC)});
    const session = await provider.create(${JSON.stringify(SPEC)});
    void session.exec(['sleep', '3600']);
    console.log(session.id);
  `;
}

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`sandboxes of a Docker daemon end with their owner and with the daemon: ${reason}`, () => {});
} else {
  describe('the life of sandboxes of a Docker daemon', () => {
    const docker = new PrivateEngine();
    beforeAll(async () => {
      await docker.start();
      await docker.importImage();
    }, TEST_MS);
    afterAll(() => docker.close(), TEST_MS);

    const isRunning = async (name: string) => {
      const { State } = await docker.engine.get<ContainerDetails>(`/containers/${name}/json`);
      return State.Running;
    };

    test(
      'the containers of an executor that is killed end at once, and the next start removes them',
      async () => {
        const executor = spawn(
          process.execPath,
          [
            '--conditions=agentclash-source',
            '--no-warnings',
            '--import',
            LOADER,
            '--input-type=module',
            '--eval',
            owner(docker.address),
          ],
          { cwd: path.resolve(import.meta.dirname, '../..'), stdio: ['ignore', 'pipe', 'inherit'] },
        );
        const [line] = (await once(executor.stdout, 'data')) as [Buffer];
        const id = line.toString().trim();
        expect(await isRunning(id)).toBe(true);
        executor.kill('SIGKILL');
        await eventually(async () => !(await isRunning(id)), 10_000);
        // One that was just being started ends with its first lease.
        await eventually(async () => {
          const running = await Promise.all(
            (await docker.containers()).map((name) => isRunning(name.slice(1))),
          );
          return running.every((each) => !each);
        }, 60_000);
        const provider = await docker.open({ owner: 'killed' });
        expect(await docker.containers()).toEqual([]);
        await provider.close();
      },
      TEST_MS,
    );

    test(
      'a reap leaves live sandboxes alone, and those of other executors that have just ended',
      async () => {
        const provider = await docker.open();
        const session = await provider.create(SPEC);
        await docker.engine.post('/containers/create', {
          query: { name: 'of-another' },
          body: {
            Image: 'sandbox.invalid/host',
            Cmd: ['true'],
            Labels: { 'agentclash.dev/managed-by': 'agentclash-sandbox', 'agentclash.dev/owner': 'other' },
            HostConfig: { NetworkMode: 'none' },
          },
        });
        await docker.engine.post('/containers/of-another/start');
        await eventually(async () => !(await isRunning('of-another')));
        expect(await provider.reap()).toEqual({ removed: [] });
        expect((await session.exec(['true'])).exitCode).toBe(0);
        await docker.engine.json('DELETE', '/containers/of-another');
        await provider.close();
      },
      TEST_MS,
    );

    test(
      'a container that is older than any sandbox is removed, also that of another owner',
      async () => {
        const provider = await docker.open();
        const labels = {
          'agentclash.dev/managed-by': 'agentclash-sandbox',
          'agentclash.dev/owner': 'other',
          'agentclash.dev/expires': '2001-01-01T00:00:00.000Z',
        };
        const body = {
          Image: 'sandbox.invalid/host',
          Cmd: ['sleep', '600'],
          Labels: labels,
          HostConfig: { NetworkMode: 'none' },
        };
        await docker.engine.post('/containers/create', { query: { name: 'old' }, body });
        await docker.engine.post('/containers/old/start');
        expect(await provider.reap()).toEqual({ removed: ['old'] });
        await provider.close();
      },
      TEST_MS,
    );

    test(
      'the pool hides the start, never gives a sandbox twice, and is gone when it is idle and when the provider closes',
      async () => {
        const provider = await docker.open({ pool: { size: 2, idleMs: 2_000 } });
        const ids = new Set<string>();
        const firstAt = performance.now();
        let startMs = Number.POSITIVE_INFINITY;
        for (let round = 0; round < 6; round++) {
          const session = await provider.create(SPEC);
          if (round === 0) startMs = performance.now() - firstAt;
          ids.add(session.id);
          expect(
            (await session.exec(['sh', '-c', 'ls /workspace; echo x > /workspace/left'])).stdout.toString(),
          ).toBe('');
          await session.destroy();
        }
        expect(ids.size).toBe(6);
        await eventually(async () => (await docker.containers()).length === 2, 10_000);
        const startedAt = performance.now();
        const session = await provider.create(SPEC);
        expect(performance.now() - startedAt).toBeLessThan(startMs / 3);
        await session.destroy();
        await eventually(async () => (await docker.containers()).length === 0, 15_000);
        for (let round = 0; round < 2; round++) await (await provider.create(SPEC)).destroy();
        await provider.close();
        expect(await docker.containers()).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'without a pool each sandbox is started when it is requested',
      async () => {
        const provider = await docker.open({ pool: { size: 0 } });
        const session = await provider.create(SPEC);
        expect(await docker.containers()).toEqual([`/${session.id}`]);
        await provider.close();
      },
      TEST_MS,
    );

    test(
      'a sandbox of an image that writes more than its disk is ended, also where root writes beside the root',
      async () => {
        const image = await docker.makeSuiteImage();
        const provider = await docker.open({ allowsRootOfMachine: true });
        for (const target of ['/usr/large', '/etc/hosts']) {
          const session = await provider.create({ ...SPEC, image: { reference: image, runAsRoot: true } });
          const filling = session.exec(['sh', '-c', `head -c 64M /dev/zero > ${target}; sleep 60`]);
          const message = expect.stringContaining('larger than its disk');
          await expect(filling).rejects.toMatchObject({ code: 'sandbox_dead', death: 'killed', message });
          expect((await session.ended).detail).toContain('larger than its disk');
        }
        await provider.close();
      },
      TEST_MS,
    );

    test.each(['SIGTERM', 'SIGKILL'] as const)(
      'when the daemon goes away by %s, sandboxes end, new ones are unavailable with the next step, and nothing is left after its return',
      async (signal) => {
        const provider = await docker.open();
        const session = await provider.create(SPEC);
        const running = session.exec(['sleep', '600']);
        running.catch(() => {});
        await docker.stop(signal);
        await expect(running).rejects.toMatchObject({
          code: 'sandbox_dead',
          death: 'killed',
          message: expect.stringMatching(/Docker daemon (ended|was stopped).*\b(docker info|log)\b/),
        });
        await expect(provider.create({ ...SPEC, limits: { ...LIMITS, pids: 65 } })).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('does not respond'),
          fix: expect.stringContaining('DOCKER_HOST'),
        });
        await session.destroy().catch(() => {});
        await docker.start();
        await eventually(async () => {
          await provider.reap();
          return (await docker.containers()).every((name) => !name.includes(session.id));
        }, 30_000);
        const next = await provider.create({ ...SPEC, limits: { ...LIMITS, pids: 66 } });
        expect((await next.exec(['true'])).exitCode).toBe(0);
        await provider.close();
        await provider.reap();
        expect(await docker.containers()).toEqual([]);
      },
      TEST_MS,
    );
  });
}
