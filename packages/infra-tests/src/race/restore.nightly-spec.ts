import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentclash, StackFolder } from '@agentclash/e2e';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { renderOverlay } from '../manifests/render.js';
import { describeUnless, missingKubectl } from '../requirements.js';
import { OutsidePostgres, postgresTools } from './backup.js';
import { builtRuntime } from './container.js';
import { Installation, SERVICES } from './installation.js';
import { Pods } from './pods.js';

jest.setTimeout(300_000);

const TOKEN = 'ac_development_admin';
const SLOW = { name: 'slow', kind: 'scripted', config: { steps: [{ answer: 'late', delay_ms: 3_000 }] } };

const tools = postgresTools();

// The commands of docs/kubernetes.md: a dump of the database, then a copy of the files; the bus is not in the backup.
describeUnless(
  missingKubectl() ?? (tools === undefined ? 'the programs of PostgreSQL are not installed' : undefined),
  'an installation that is lost while a run is in progress',
  () => {
    const lost = new StackFolder();
    const found = new StackFolder();
    let pods: Pods;
    let database: OutsidePostgres;
    let installation: Installation;
    let scorecard: unknown;

    const startDatabase = async (stackFolder: StackFolder) =>
      await OutsidePostgres.start(tools ?? '', path.join(stackFolder.path, 'database'));
    const open = async (stackFolder: StackFolder) =>
      await Installation.open({
        manifests: database.reachedBy(renderOverlay('dev')),
        folder: stackFolder.path,
        runtimeOf: builtRuntime,
        fromCluster: { 'sandbox-executor': pods.environment },
        mounts: { 'sandbox-executor': pods.mounts },
      });

    async function read<T>(...words: string[]): Promise<T> {
      const env = {
        AGENTCLASH_API_URL: `http://127.0.0.1:${installation.httpPort}`,
        AGENTCLASH_TOKEN: TOKEN,
      };
      const { code, stdout, stderr } = await agentclash([...words, '--json'], {
        folder: lost,
        env,
        timeoutMs: 200_000,
      });
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    }

    beforeAll(async () => {
      pods = await Pods.start();
      database = await startDatabase(lost);
      database.makeRoles();
      installation = await open(lost);
      await installation.migrate();
      await installation.start();
    });
    afterAll(async () => {
      await installation?.close();
      database?.stop();
      await pods?.close();
      lost.remove();
      found.remove();
    });

    test('an installation can be backed up while it works', async () => {
      const agents = path.join(lost.path, 'slow.json');
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

      database.runGuide('Backup of the database', found.path);
      cpSync(path.join(lost.path, 'volumes/blobs'), path.join(found.path, 'volumes/blobs'), {
        recursive: true,
      });
    });

    test('a restored installation has every score and ends the run that was in progress', async () => {
      await installation.close();
      database.stop();
      rmSync(path.join(lost.path, 'database'), { recursive: true });
      database = await startDatabase(found);
      database.runGuide('Restore of the database', found.path);
      installation = await open(found);
      const output = await installation.migrate();
      expect(output.filter((line) => !line.endsWith('nothing was pending'))).toEqual([]);
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
  },
);

interface Run {
  id: string;
  status: string;
}

interface Attempt {
  agent_name: string;
  outcome: string | null;
  passed: boolean | null;
}
