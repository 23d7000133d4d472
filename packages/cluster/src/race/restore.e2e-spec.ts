import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentclash, Place } from '@agentclash/e2e';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { hasKubectl, renderOverlay } from '../manifests/render.js';
import { type Dump, dump, restore } from './backup.js';
import { builtPlace } from './container.js';
import { Installation, SERVICES } from './installation.js';
import { Pods } from './pods.js';
import { DATABASE, withClient } from './servers.js';

jest.setTimeout(300_000);

const TOKEN = 'ac_development_admin';
const SLOW = { name: 'slow', kind: 'scripted', config: { steps: [{ answer: 'late', delay_ms: 3_000 }] } };

// The drill of docs/kubernetes.md: a dump of the database, then a copy of the files; the bus is not in the backup.
(hasKubectl() ? describe : describe.skip)('an installation that was lost while a run was under way', () => {
  const lost = new Place();
  const found = new Place();
  let pods: Pods;
  let installation: Installation;
  let copy: Dump;
  let scorecard: unknown;

  const open = async (place: Place) =>
    await Installation.open({
      manifests: renderOverlay('dev'),
      folder: place.folder,
      placeOf: builtPlace,
      fromCluster: { 'sandbox-executor': pods.environment },
      mounts: { 'sandbox-executor': pods.mounts },
    });
  const onDatabase = <T>(use: Parameters<typeof withClient<T>>[1]) =>
    withClient(installation.postgres.url(DATABASE), use);

  async function read<T>(...words: string[]): Promise<T> {
    const env = { AGENTCLASH_API_URL: `http://127.0.0.1:${installation.httpPort}`, AGENTCLASH_TOKEN: TOKEN };
    const { code, stdout, stderr } = await agentclash([...words, '--json'], {
      place: lost,
      env,
      timeoutMs: 200_000,
    });
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  beforeAll(async () => {
    pods = await Pods.start();
    installation = await open(lost);
    await installation.migrate();
    await installation.start();
  });
  afterAll(async () => {
    await installation?.close();
    await pods?.close();
    lost.remove();
    found.remove();
  });

  test('is backed up while it works', async () => {
    const agents = path.join(lost.folder, 'slow.json');
    writeFileSync(agents, JSON.stringify({ deployments: [SLOW] }));
    await read('challenge-pack', 'publish', 'examples/challenge-packs/small-python-tasks.yaml');
    await read('deployment', 'create', '-f', 'examples/deployments/small-python-tasks.yaml');
    await read('deployment', 'create', '-f', agents);
    await read('eval', 'start', '--pack', 'small-python-tasks', '--deployment', 'oracle');
    await waitFor(async () => (await runs()).every(({ status }) => status === 'completed'), {
      timeoutMs: 120_000,
    });
    scorecard = await read('eval', 'scorecard', 'last');
    await read('eval', 'start', '--pack', 'small-python-tasks', '--deployment', 'oracle', 'slow');
    await waitFor(async () => (await runs()).some(({ status }) => status === 'running'), {
      timeoutMs: 60_000,
    });

    copy = await onDatabase(dump);
    cpSync(path.join(lost.folder, 'volumes/blobs'), path.join(found.folder, 'volumes/blobs'), {
      recursive: true,
    });
    expect(copy.get('runs.runs')).toHaveLength(2);
  });

  test('is there again after a restore, with every score, and ends what was under way', async () => {
    await installation.close();
    rmSync(path.join(lost.folder, 'postgres'), { recursive: true });
    installation = await open(found);
    await installation.migrate();
    await onDatabase((client) => restore(client, copy));
    await installation.start();

    await waitFor(async () => (await runs()).every(({ status }) => status === 'completed'), {
      timeoutMs: 200_000,
    });
    const [latest, first] = await runs();
    expect(await read('eval', 'scorecard', first?.id ?? '')).toEqual(scorecard);
    const { items } = await read<{ items: Attempt[] }>('run', 'attempts', latest?.id ?? '');
    expect(items).toHaveLength(14);
    expect(items.filter(({ outcome }) => outcome !== 'completed')).toEqual([]);
    expect(items.filter(({ agent_name, passed }) => agent_name === 'oracle' && passed)).toHaveLength(7);
    for (const service of SERVICES) {
      expect(await installation.readiness(service)).toMatchObject({ status: 200 });
    }
  });

  /** Newest first. */
  async function runs(): Promise<Run[]> {
    return (await read<{ items: Run[] }>('run', 'list')).items;
  }
});

interface Run {
  id: string;
  status: string;
}

interface Attempt {
  agent_name: string;
  outcome: string | null;
  passed: boolean | null;
}
