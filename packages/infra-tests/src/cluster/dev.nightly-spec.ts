import { agentclash, StackFolder } from '@agentclash/e2e';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { describeUnless, missingKubectl } from '../requirements.js';
import { BareNode } from './bare-node.js';
import { DevCluster, NAMESPACES } from './dev-cluster.js';
import { Kubectl } from './kubectl.js';
import { ServiceNames } from './names.js';
import { NEXT_VERSION, SERVERS_IMAGE } from './service-images.js';

const HOUR_MS = 3_600_000;
jest.setTimeout(HOUR_MS);

const {
  AGENTCLASH_TEST_KUBECONFIG: kubeconfig = '',
  AGENTCLASH_TEST_BARE_NODE: bareNode = '',
  AGENTCLASH_TEST_SERVICE_IMAGES: serviceImages = '',
} = process.env;
/** The administrator's token of the overlay `dev`, whose hash is in its secrets. */
const TOKEN = 'ac_development_admin';
const RACE_MS = 900_000;
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
    await waitFor(async () => (await dev().sandboxes()).length === 0, { intervalMs: 1_000 });
  };
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
});
