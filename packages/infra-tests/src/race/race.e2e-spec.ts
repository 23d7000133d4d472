import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { durableName } from '@agentclash/bus';
import { execution, type ServiceName, scoringJobs } from '@agentclash/contracts';
import { agentclash, StackFolder, TraceCollector } from '@agentclash/e2e';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { renderWith } from '../manifests/render.js';
import { describeWithKubectl } from '../requirements.js';
import { CodingAgent } from './coding-agent.js';
import { builtRuntime } from './container.js';
import { Installation, SERVICES } from './installation.js';
import { Pods } from './pods.js';
import { withClient } from './servers.js';

jest.setTimeout(240_000);

/** The administrator's token of the overlay `dev`, whose hash is in its secrets. */
const TOKEN = 'ac_development_admin';

describeWithKubectl(
  'the overlay dev with tracing and agent packages, its containers started as processes',
  () => {
    const folder = new StackFolder();
    let collector: TraceCollector;
    let pods: Pods;
    let installation: Installation;
    let coder: CodingAgent;

    beforeAll(async () => {
      collector = await TraceCollector.start();
      coder = await CodingAgent.start(folder.path);
      // One volume with the files of both claims, which have the same name.
      pods = await Pods.start({ 'agent-packages': Installation.volumeIn(folder.path, 'agent-packages') });
      const unlocked = { OPERATOR_UNLOCK: '127.0.0.0/8' };
      installation = await Installation.open({
        manifests: renderWith('dev', ['tracing', 'agent-packages']),
        folder: folder.path,
        runtimeOf: builtRuntime,
        fromCluster: {
          'run-orchestrator': unlocked,
          'sandbox-executor': {
            ...pods.environment,
            ...unlocked,
            AGENT_PACKAGES_REGISTRY: coder.registryUrl,
          },
        },
        mounts: { 'sandbox-executor': pods.mounts },
        elsewhere: { 'opentelemetry-collector.observability:4318': collector.port },
      });
    });
    afterAll(async () => {
      await installation?.close();
      await pods?.close();
      await coder?.close();
      await collector?.close();
      folder.remove();
    });

    const run = (...words: string[]) =>
      agentclash(words, {
        folder: folder,
        env: { AGENTCLASH_API_URL: `http://127.0.0.1:${installation.httpPort}`, AGENTCLASH_TOKEN: TOKEN },
        timeoutMs: 180_000,
      });

    test('pods wait for the migrations of their image, then every service becomes ready', async () => {
      const starting = installation.start();
      const early = Promise.race([
        starting.then(() => 'started'),
        installation.migrate().then(() => 'migrated'),
      ]);
      expect(await early).toBe('migrated');
      await starting;
      for (const service of SERVICES) {
        expect(await installation.readiness(service)).toMatchObject({ status: 200, body: { ready: true } });
      }
      expect(await installation.migrate()).toEqual(
        ['runs', 'packs', 'vault', 'scoring', 'gateway'].map((schema) => `${schema}: nothing was pending`),
      );
    });

    test('a race with sandboxes in pods runs to its ranking', async () => {
      const published = await run(
        'challenge-pack',
        'publish',
        'examples/challenge-packs/small-python-tasks.yaml',
      );
      expect(published).toMatchObject({ code: 0 });
      const deployed = await run(
        'deployment',
        'create',
        '-f',
        'examples/deployments/small-python-tasks.yaml',
      );
      expect(deployed).toMatchObject({ code: 0 });
      const race = ['--pack', 'small-python-tasks', '--deployment', 'oracle', 'idle', '--follow'];
      const { code, stdout, stderr } = await run('eval', 'start', ...race);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout).toMatch(/1\s+oracle\s+passed/);
      expect(pods.cluster.pods.list()).toEqual([]);
    });

    test('a single trace follows the run through every process that takes part', async () => {
      const rootOf = () => collector.named(/^POST \S*\/runs$/)[0];
      const spansOfRun = () => collector.of(rootOf()?.traceId ?? '');
      const attempts = (name: string) =>
        new Set(
          spansOfRun()
            .filter((each) => each.name === name)
            .map((each) => each.attributes['agentclash.attempt.id']),
        );
      // Each process exports its spans on its own schedule.
      await waitFor(
        () => {
          expect(spansOfRun().some(({ name }) => /^process job\.scoring\.\S+score_run$/.test(name))).toBe(
            true,
          );
          expect(attempts('attempt').size).toBe(14);
          expect(attempts('score')).toEqual(attempts('attempt'));
          return true;
        },
        { timeoutMs: 60_000 },
      );
      const spans = spansOfRun();
      const processes = new Set(spans.map(({ resource }) => resource['service.name']));
      expect([...processes].sort()).toEqual(
        ['gateway', 'pack-registry', 'run-orchestrator', 'sandbox-executor', 'scoring'].map(
          (service) => `agentclash-${service}`,
        ),
      );
      for (const name of ['attempt', 'score', 'sandbox create', 'rpc.runs.v1.create']) {
        const [span] = spans.filter((each) => each.name === name);
        expect(span && collector.pathOf(span).at(-1)).toBe(rootOf()?.name);
      }
    });

    test('log lines of a run contain its trace id', () => {
      const traceId = collector.named(/^POST \S*\/runs$/)[0]?.traceId;
      const lines = SERVICES.flatMap((service) => installation.running.get(service)?.lines ?? []);
      const logged = lines.map((line) => JSON.parse(line) as { trace_id?: string; span_id?: string });
      const ofRun = logged.filter(({ trace_id }) => trace_id === traceId);
      expect(ofRun.length).toBeGreaterThan(0);
      const known = new Set(collector.spans.map(({ spanId }) => spanId));
      expect(ofRun.filter(({ span_id }) => !known.has(span_id ?? ''))).toEqual([]);
    });

    test.each([
      ['gateway', 'agentclash_http_request_duration_seconds_count'],
      ['pack-registry', 'agentclash_rpc_server_duration_seconds_count'],
      ['run-orchestrator', 'agentclash_runs_ended_total'],
      ['sandbox-executor', 'agentclash_sandbox_create_duration_seconds_count'],
      ['secrets-vault', 'process_cpu_seconds_total'],
      ['scoring', 'agentclash_scoring_duration_seconds_count'],
    ] as const)('the process %s exports %s for Prometheus', async (service, figure) => {
      expect(await installation.figures(service)).toMatch(
        new RegExp(`^${figure}(?:\\{[^}]*\\})? (?!0$)`, 'm'),
      );
    });

    test('a coding agent runs in pods that read its packages from the volume of the executors', async () => {
      const file = path.join(folder.path, 'coder.yaml');
      writeFileSync(file, JSON.stringify(coder.deployment()));
      expect(await run('deployment', 'create', '-f', file)).toMatchObject({ code: 0 });
      const race = ['--pack', 'small-python-tasks', '--deployment', coder.name];
      const started = await run('--json', 'eval', 'start', ...race);
      const { id } = JSON.parse(started.stdout) as { id: string };
      await run('run', 'show', id, '--follow');
      const { items } = JSON.parse((await run('--json', 'run', 'attempts', id)).stdout) as AttemptList;
      const outcomes = new Set(items.map(({ outcome }) => outcome));
      expect([items.length > 0, [...outcomes]]).toEqual([true, ['completed']]);
      const { stdout } = await run('run', 'export', id);
      expect(stdout).toContain(`"final_output":"${coder.output}"`);
    });

    test('NATS reports the queues under the names that the scalers use', async () => {
      const monitor = `http://127.0.0.1:${installation.bus.monitorPort}`;
      const response = await fetch(`${monitor}/jsz?acc=AGENTCLASH&consumers=true`);
      const { account_details } = (await response.json()) as JetStreamReport;
      const jobs = account_details
        .flatMap(({ stream_detail }) => stream_detail)
        .find(({ name }) => name === 'JOBS');
      const consumers = jobs?.consumer_detail.map(({ name }) => name);
      expect(consumers).toContain(durableName('sandbox-executor', execution.execute.subject));
      expect(consumers).toContain(durableName('scoring', scoringJobs.scoreAttempts.subject));
    });

    test('each database role can read its own schema only', async () => {
      const url = installation.postgres.url('agentclash', {
        user: 'agentclash_runs',
        password: 'development',
      });
      await withClient(url, async (client) => {
        await expect(client.query('SELECT count(*) FROM runs.runs')).resolves.toMatchObject({ rowCount: 1 });
        await expect(client.query('SELECT * FROM vault.secrets')).rejects.toThrow(/permission denied/);
        await expect(client.query('CREATE SCHEMA mine')).rejects.toThrow(/permission denied/);
      });
    });

    test('every service stops with exit code 0 when its pod is deleted', async () => {
      const codes: Partial<Record<ServiceName, number | null>> = {};
      for (const service of SERVICES.toReversed()) codes[service] = await installation.stop(service);
      expect(codes).toEqual(Object.fromEntries(SERVICES.map((service) => [service, 0])));
    });
  },
);

interface AttemptList {
  items: { outcome: string | null }[];
}

interface JetStreamReport {
  account_details: { stream_detail: { name: string; consumer_detail: { name: string }[] }[] }[];
}
