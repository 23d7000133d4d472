import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS, python } from '../conformance/bench.js';
import type { SandboxSession } from '../contract.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import { findTestRunsc } from '../testing/gvisor/fixture.js';
import type { ContainerDetails } from './engine-objects.js';
import type { DockerProvider } from './provider.js';

const TEST_MS = 120_000;
const found = findTestRunsc();
const reason = withoutDocker();
const gvisor = 'skipped' in found ? undefined : { path: found.program, runtimeArgs: ['--network=none'] };

const KERNELS = [
  { name: 'runc', runtime: undefined, what: 'the first process of the sandbox', skipped: reason },
  {
    name: 'gVisor',
    runtime: 'runsc',
    what: 'the kernel of the sandbox (gVisor)',
    skipped: reason ?? ('skipped' in found ? found.skipped : undefined),
  },
];

for (const { name, runtime, what, skipped } of KERNELS) {
  if (skipped !== undefined) {
    test.skip(`the error of a container on ${name} that ended names its cause, but not here: ${skipped}`, () => {});
    continue;
  }
  describe(`the error of a container on ${name} that ended names its cause`, () => {
    const docker = new PrivateEngine(gvisor && { runtimes: { runsc: gvisor } });
    let provider: DockerProvider;
    let session: SandboxSession;
    beforeAll(async () => {
      await docker.start();
      await docker.importImage();
      provider = await docker.open(runtime === undefined ? {} : { runtime });
    }, TEST_MS);
    afterAll(() => docker.close(), TEST_MS);

    const opened = async () => {
      session = await provider.create({ limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } });
      return await docker.engine.get<ContainerDetails>(`/containers/${session.id}/json`);
    };

    test(
      'killed by a process of its machine, while the daemon responds',
      async () => {
        const { State } = await opened();
        process.kill(State.Pid, 'SIGKILL');
        expect(await session.ended).toMatchObject({
          death: 'killed',
          message: expect.stringContaining(`${what} was killed on the machine of the Docker daemon`),
        });
      },
      TEST_MS,
    );

    test.each(['/kill', '/stop?t=1'])(
      'ended by the daemon (POST %s), also where memory had ended a command before',
      async (call) => {
        const { Id } = await opened();
        const hog = await python(session, 'x = bytearray(1 << 30)').catch((error: unknown) => error);
        // On gVisor the kernel of the machine may choose that of the sandbox.
        if (hog instanceof Error) return expect(hog).toMatchObject({ death: 'oom' });
        expect(hog).toMatchObject({ oomKilled: true });
        const [path = '', t] = call.split('?t=');
        await docker.engine.post(`/containers/${Id}${path}`, { query: t === undefined ? {} : { t } });
        expect(await session.ended).toMatchObject({
          death: 'killed',
          message: expect.stringContaining('container was killed or removed'),
        });
      },
      TEST_MS,
    );

    test(
      'removed while it ran',
      async () => {
        const { Id } = await opened();
        await docker.engine.json('DELETE', `/containers/${Id}`, { query: { force: '1' } });
        expect(await session.ended).toMatchObject({
          death: 'killed',
          message: expect.stringContaining('container was killed or removed'),
        });
      },
      TEST_MS,
    );
  });
}
