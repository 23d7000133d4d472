import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@agentclash/embedded';
import { loadCredentials, openLayout, type RunningServers, startServers } from '@agentclash/local-stack';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { agentclash, repository, StackFolder } from './product.js';

jest.setTimeout(180_000);

const APPS = {
  'pack-registry': 'pack-registry',
  'run-orchestrator': 'run-orchestrator',
  'sandbox-executor': 'sandbox-executor',
  'secrets-vault': 'secrets-vault',
  scoring: 'scoring',
  gateway: 'gateway',
} as const;
type Service = keyof typeof APPS;

describe('every service as a process of its own, on one bus with its own user', () => {
  const folder = new StackFolder();
  const processes = new Map<Service, ChildProcess>();
  let servers: RunningServers;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const layout = await openLayout(folder.data);
    const credentials = await loadCredentials(layout, true);
    const port = await freePort();
    servers = await startServers({
      allowsLoopback: true,
      layout,
      credentials,
      log: () => {},
      http: { port },
    });
    env = { AGENTCLASH_API_URL: `http://127.0.0.1:${port}`, AGENTCLASH_TOKEN: credentials.adminToken };
    await Promise.all((Object.keys(APPS) as Service[]).map((service) => start(service)));
  }, 120_000);
  afterAll(async () => {
    for (const child of processes.values()) await ended(child, 'SIGTERM');
    await servers?.stop();
    folder.remove();
  }, 120_000);

  /** Resolves when the service has logged its start. */
  async function start(service: Service): Promise<void> {
    const child = spawn(process.execPath, [path.join(repository, 'apps', APPS[service], 'dist/main.js')], {
      env: { PATH: process.env.PATH, ...servers.environments[service] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    processes.set(service, child);
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`${service} ended with ${code}:\n${lines.join('\n')}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        if (line.includes('"msg":"service started"')) resolve();
      });
    });
  }

  async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode !== null) return child.exitCode;
    const exit = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    const [code] = await exit;
    return code;
  }

  const run = (...words: string[]) => agentclash(words, { folder, env, timeoutMs: 180_000 });
  const race = () =>
    run('eval', 'start', '--pack', 'small-python-tasks', '--deployment', 'oracle', 'idle', '--follow');

  test('separate services run a race to its ranking', async () => {
    const published = await run(
      'challenge-pack',
      'publish',
      'examples/challenge-packs/small-python-tasks.yaml',
    );
    expect(published).toMatchObject({ code: 0 });
    expect(
      await run('deployment', 'create', '-f', 'examples/deployments/small-python-tasks.yaml'),
    ).toMatchObject({
      code: 0,
    });
    const { code, stdout, stderr } = await race();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/1\s+oracle\s+passed/);
  });

  test('a service that is unavailable is named, and works again after its restart', async () => {
    const registry = processes.get('pack-registry');
    if (registry === undefined) throw new Error('the registry was not started');
    expect(await ended(registry, 'SIGTERM')).toBe(0);
    const unavailable = await run('challenge-pack', 'list');
    expect(unavailable).toMatchObject({ code: 69, stderr: expect.stringContaining('packs') });
    await start('pack-registry');
    expect(await run('challenge-pack', 'list')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('small-python-tasks'),
    });
  });

  test('an attempt whose executor was killed is done again by the next, and none is lost', async () => {
    const agents = path.join(folder.path, 'slow.yaml');
    const slow = { name: 'slow', kind: 'scripted', config: { steps: [{ answer: 'late', delay_ms: 4_000 }] } };
    writeFileSync(agents, JSON.stringify({ deployments: [slow] }));
    await run('deployment', 'create', '-f', agents);
    const started = await run(
      'eval',
      'start',
      '--pack',
      'small-python-tasks',
      '--deployment',
      'oracle',
      'slow',
    );
    expect(started).toMatchObject({ code: 0 });
    const executor = processes.get('sandbox-executor');
    if (executor === undefined) throw new Error('the executor was not started');
    const isWaiting = async () =>
      (await attempts()).some(
        ({ agent_name, state }) => agent_name === 'slow' && !['queued', 'finished'].includes(state),
      );
    await waitFor(isWaiting, { timeoutMs: 60_000 });
    await ended(executor, 'SIGKILL');
    await start('sandbox-executor');

    expect(await run('run', 'show', 'last', '--follow')).toMatchObject({ code: 0 });
    const all = await attempts();
    expect(all.filter(({ outcome }) => outcome !== 'completed')).toEqual([]);
    expect(all.filter(({ agent_name, passed }) => agent_name === 'oracle' && passed)).toHaveLength(7);
    expect(all.filter(({ delivery }) => delivery > 1)).not.toEqual([]);
  }, 300_000);

  async function attempts(): Promise<AttemptRow[]> {
    const { stdout } = await run('run', 'attempts', 'last', '--json');
    return (JSON.parse(stdout) as { items: AttemptRow[] }).items;
  }
});

interface AttemptRow {
  agent_name: string;
  state: string;
  outcome: string | null;
  passed: boolean | null;
  delivery: number;
}
