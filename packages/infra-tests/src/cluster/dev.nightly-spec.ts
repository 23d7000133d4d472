import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentclash, StackFolder } from '@agentclash/e2e';
import { FakeRegistry } from '@agentclash/sandbox/fake-registry';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { describeUnless, missingKubectl } from '../requirements.js';
import { BareNode } from './bare-node.js';
import { DevCluster, NAMESPACES } from './dev-cluster.js';
import { Kubectl } from './kubectl.js';
import { ServiceNames } from './names.js';
import { auditedPack, dockerfilePack, imagesPack } from './packs.js';
import { NEXT_VERSION, SERVERS_IMAGE } from './service-images.js';

const HOUR_MS = 3_600_000;
jest.setTimeout(HOUR_MS);

const {
  AGENTCLASH_TEST_KUBECONFIG: kubeconfig = '',
  AGENTCLASH_TEST_BARE_NODE: bareNode = '',
  AGENTCLASH_TEST_SERVICE_IMAGES: serviceImages = '',
  AGENTCLASH_TEST_NODE_IS_HERE: nodeIsHere = '',
} = process.env;
/** The administrator's token of the overlay `dev`, whose hash is in its secrets. */
const TOKEN = 'ac_development_admin';
const RACE_MS = 900_000;
/** An executor of the overlay gives audits one sandbox of its four. */
const AUDIT_MS = 900_000;
const ABSENT = `sha256:${'0'.repeat(64)}`;
/** Of seven cases by two agents: 42 attempts. */
const REPETITIONS = 3;

function missing(): string | undefined {
  if (kubeconfig === '') return 'set AGENTCLASH_TEST_KUBECONFIG (pnpm test:kubernetes)';
  if (serviceImages !== 'loaded') return 'AGENTCLASH_TEST_LOAD gives nodes no images (pnpm test:kubernetes)';
  return missingKubectl();
}

describeUnless(missing(), 'the overlay dev in a real cluster', () => {
  const folder = new StackFolder();
  const kubectl = new Kubectl(kubeconfig);
  let node: BareNode | undefined;
  let names: ServiceNames | undefined;
  let cluster: DevCluster | undefined;

  beforeAll(async () => {
    const present = await kubectl.run(['get', 'namespaces', ...NAMESPACES, '--ignore-not-found']);
    if (present !== '') throw new Error('the cluster has an installation of AgentClash already');
    if (bareNode !== '') {
      const query = ['config', 'view', '--minify', '--output=jsonpath={.clusters[0].cluster.server}'];
      node = new BareNode(bareNode, new URL(await kubectl.run(query)).port, SERVERS_IMAGE);
      names = await ServiceNames.serve(kubectl, NAMESPACES[0], bareNode);
    }
    cluster = new DevCluster(kubectl, node);
    await cluster.apply();
    await cluster.awaitRollOut();
    await cluster.openGateway();
  });
  afterAll(async () => {
    await cluster?.close();
    names?.close();
    node?.remove();
    folder.remove();
  });

  const dev = (): DevCluster => {
    if (cluster === undefined) throw new Error('the overlay is not applied');
    return cluster;
  };
  const run = (...words: string[]) =>
    agentclash(words, {
      folder,
      env: { AGENTCLASH_API_URL: dev().url, AGENTCLASH_TOKEN: TOKEN },
      timeoutMs: RACE_MS,
    });
  /** Races both agents; resolves when the race has ended. */
  const race = async () => {
    await dev().awaitGateway();
    return await run(
      ...['eval', 'start', '--pack', 'small-python-tasks', '--deployment', 'oracle', 'idle'],
      ...['--repetitions', String(REPETITIONS), '--follow'],
    );
  };
  const expectCompleted = async (racing: ReturnType<typeof race>) => {
    const { code, stdout, stderr } = await racing;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/1\s+oracle\s+passed/);
    await dev().awaitGateway();
    const { stdout: runs } = await run('run', 'list', '--json');
    const [newest] = (JSON.parse(runs) as { items: object[] }).items;
    expect(newest).toMatchObject({ status: 'completed' });
    const { stdout: failed } = await run('run', 'attempts', 'last', '--outcome', 'infra_error', '--json');
    expect(JSON.parse(failed)).toMatchObject({ items: [] });
    await expectNoSandboxes();
  };
  const expectNoSandboxes = () =>
    waitFor(async () => (await dev().sandboxes()).length === 0, { intervalMs: 1_000 });
  /** Publishes a pack with further files. */
  const publish = async (text: string, files: Readonly<Record<string, string>> = {}) => {
    for (const [name, content] of Object.entries({ ...files, 'pack.yaml': text })) {
      const file = path.join(folder.path, 'packs', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    const pack = path.join(folder.path, 'packs/pack.yaml');
    expect(await run('challenge-pack', 'publish', pack)).toMatchObject({ code: 0 });
  };
  const start = (slug: string) => run('eval', 'start', '--pack', slug, '--deployment', 'idle', '--follow');
  const racesAtWork = () =>
    waitFor(async () => (await dev().sandboxes()).length > 0, { timeoutMs: 120_000, intervalMs: 200 });

  test('every migration job succeeds with its first pod, though the database starts at the same time', async () => {
    const jobs = await dev().jobs();
    expect(jobs.map(({ status }) => [status.succeeded, status.failed ?? 0])).toEqual(jobs.map(() => [1, 0]));
    expect(jobs).toHaveLength(5);
  });

  test('a race with pods as sandboxes runs to its ranking', async () => {
    for (const words of [
      ['challenge-pack', 'publish', 'examples/challenge-packs/small-python-tasks.yaml'],
      ['deployment', 'create', '-f', 'examples/deployments/small-python-tasks.yaml'],
    ]) {
      expect(await run(...words)).toMatchObject({ code: 0 });
    }
    await expectCompleted(race());
  });

  test('an audit of a published version runs in pods, passes, and leaves none', async () => {
    await publish(auditedPack('audited'));
    const audited = run('challenge-pack', 'audit', 'audited@1', '--quick', '--json');
    await waitFor(async () => (await dev().sandboxes()).length > 0, { timeoutMs: 120_000, intervalMs: 200 });
    const { code, stdout, stderr } = await audited;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const report = JSON.parse(stdout) as { checks: { cheats: { tried: number } }; duration_ms: number };
    expect(report).toMatchObject({
      result: 'passed',
      sandbox: { provider: 'kubernetes' },
      checks: { oracle: { cases: 1, passed: 1 }, cheats: { gained: 0 }, strength: { state: 'passed' } },
    });
    expect(report.checks.cheats.tried).toBeGreaterThan(10);
    expect(report.duration_ms).toBeLessThan(AUDIT_MS);
    await expectNoSandboxes();
  });

  test('a pack with an image or a Dockerfile is refused before its race where the cluster has none', async () => {
    await publish(imagesPack('with-image', { one: `registry.invalid/image@${ABSENT}` }));
    const dockerfile = { 'environment/Dockerfile': `FROM registry.invalid/image@${ABSENT}\n` };
    await publish(dockerfilePack('with-dockerfile', 'environment/Dockerfile'), dockerfile);
    for (const slug of ['with-image', 'with-dockerfile']) {
      const { code, stderr } = await start(slug);
      expect(code).not.toBe(0);
      expect(stderr).toContain('component pack-images');
    }
  });

  test('a race ends as it should while each pod of the installation is deleted once', async () => {
    const racing = race();
    await racesAtWork();
    for (const { metadata } of await dev().pods()) await dev().replacePod(metadata.name);
    await expectCompleted(racing);
  });

  test('a race ends as it should while the installation is rolled to another version', async () => {
    const racing = race();
    await racesAtWork();
    await dev().upgrade(NEXT_VERSION);
    await expectCompleted(racing);
    const pods = await kubectl.run([
      ...['get', 'pods', '--namespace', NAMESPACES[0], '--selector', 'app.kubernetes.io/component=service'],
      '--output=jsonpath={.items[*].spec.containers[0].image}',
    ]);
    expect(pods.split(' ').map((image) => image.split(':')[1])).toEqual(
      pods.split(' ').map(() => NEXT_VERSION),
    );
  });

  test('a drained node evicts every pod of the installation, which is complete again afterwards', async () => {
    await dev().drainAndReturn();
    await expectCompleted(race());
  });

  const testImages = nodeIsHere === 'true' ? test : test.skip;
  testImages(
    'with the component pack-images, an image that cannot be used is missing data with its reason (AGENTCLASH_TEST_NODE_IS_HERE)',
    async () => {
      await dev().apply(NEXT_VERSION, ['pack-images']);
      await dev().restart('sandbox-executor');
      await dev().awaitGateway();
      const built = await start('with-dockerfile');
      expect(built.code).not.toBe(0);
      expect(built.stderr).toContain('build the image and name it as sandbox.image');
      const registry = await FakeRegistry.start();
      try {
        const { host } = registry;
        await publish(
          imagesPack('images', {
            absent: `${host}/absent@${ABSENT}`,
            private: `${host}/private@${ABSENT}`,
            foreign: registry.image('foreign', { architecture: 's390x' }),
            down: `${host}/down@${ABSENT}`,
          }),
        );
        await start('images');
      } finally {
        registry.close();
      }
      const { stdout } = await run('run', 'attempts', 'last', '--json');
      const { items } = JSON.parse(stdout) as {
        items: { case_key: string; outcome: string; passed: null; error: { message: string } | null }[];
      };
      const reasons = {
        absent: 'does not exist',
        private: 'needs a login',
        foreign: 'has no variant for the machines',
        down: 'cannot be pulled now',
      };
      expect(
        Object.fromEntries(
          items.map(({ case_key, outcome, error }) => [case_key, [outcome, error?.message]]),
        ),
      ).toEqual(
        Object.fromEntries(
          Object.entries(reasons).map(([key, reason]) => [
            key,
            ['infra_error', expect.stringContaining(reason)],
          ]),
        ),
      );
      await expectNoSandboxes();
      await expectCompleted(race());
    },
  );
});
