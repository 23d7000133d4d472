import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram, StackFolder } from '@agentclash/e2e';
import { PrivateEngine, withoutDocker } from '@agentclash/sandbox/fixtures/docker';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { repository } from '../repository.js';
import { describeUnless } from '../requirements.js';
import { COMPOSE_TEXT, type ComposeService, readCompose, runOptions } from './compose.js';
import { readBuildTargets, readDockerfile } from './dockerfile.js';
import { DebianMirror, ImageBuilder, missingForImages } from './image-builder.js';

jest.setTimeout(1_800_000);

const DOCKER = path.join(repository, 'infra/docker');
const BASE_IMAGE = readDockerfile(path.join(DOCKER, 'Dockerfile')).arguments.NODE_IMAGE ?? '';
const TARGET = readBuildTargets(path.join(DOCKER, 'docker-bake.json'))['all-in-one'];
const SERVICE = readCompose().services.agentclash as ComposeService;
const EXAMPLES = '/opt/agentclash/node_modules/@agentclash/cli/examples';
const CONTAINER = 'product';
const READY_MS_MAX = 180_000;
const COMMAND_MS_MAX = 240_000;
const POLL_MS = 500;
const SOON = { timeoutMs: COMMAND_MS_MAX, intervalMs: POLL_MS };

const SLOW_PACK = `
pack: {slug: slow, name: Slow, family: tests}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [shell], allow_shell: true}
  evaluation_spec:
    name: slow
    version_number: 1
    judge_mode: deterministic
    validators: [{key: done, type: contains, target: final_output, expected_from: "literal:done"}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: task, title: Task, category: tests, difficulty: easy, instructions: Do it.}]
input_sets: [{key: default, name: Default, cases: [{challenge_key: task, case_key: one}]}]
`;
/** Longer than a container takes to start again. */
const SLEEP = ['sleep', '20'];
const SLOW_AGENT = {
  name: 'slow',
  kind: 'scripted',
  config: { steps: [{ call: { name: 'exec', arguments: { command: SLEEP } } }, { answer: 'done' }] },
};

interface RunSummary {
  number: number;
  status: string;
  progress: { passed: number };
}

/** Why this machine cannot start compose.yaml; undefined where it can. */
function withoutCompose(): string | undefined {
  const { status, stdout } = spawnSync('docker', ['compose', 'version', '--short'], { encoding: 'utf8' });
  const [major = 0, minor = 0] = (stdout ?? '').replace(/^v/, '').split('.').map(Number);
  const isNew = status === 0 && (major > 2 || (major === 2 && minor >= 15));
  return isNew ? undefined : 'Docker Compose 2.15 or newer is not installed';
}

// The whole workspace is installed and built for it, which takes minutes.
describeUnless(withoutDocker() ?? missingForImages(), 'the image of the whole product', () => {
  const folder = new StackFolder();
  const engine = new PrivateEngine();
  let mirror: DebianMirror;

  const dockerWith = async (stdin: string, ...words: string[]) =>
    await runProgram('docker', words, {
      folder,
      stdin,
      env: { DOCKER_HOST: engine.address.url },
      timeoutMs: COMMAND_MS_MAX,
    });
  const docker = (...words: string[]) => dockerWith('', ...words);
  /** A command of a user in the container. */
  const agentclash = (...words: string[]) => docker('exec', CONTAINER, 'agentclash', ...words);
  const read = async <T>(...words: string[]): Promise<T> => {
    const { code, stdout, stderr } = await agentclash(...words, '--json');
    if (code !== 0) throw new Error(`agentclash ${words.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };

  /** As compose.yaml starts it, but without a network: what is not in the image cannot be downloaded. */
  async function start(): Promise<void> {
    const options = ['--detach', '--name', CONTAINER, '--network', 'none', '--health-interval', '2s'];
    const started = await docker('run', ...options, ...runOptions(SERVICE), SERVICE.image);
    if (started.code !== 0) throw new Error(started.stderr);
    const deadline = performance.now() + READY_MS_MAX;
    const health = ['inspect', '--format', '{{.State.Status}} {{.State.Health.Status}}', CONTAINER];
    for (;;) {
      const { stdout } = await docker(...health);
      if (stdout.trim() === 'running healthy') return;
      if (performance.now() > deadline || stdout.startsWith('exited')) {
        const { stdout: log, stderr } = await docker('logs', CONTAINER);
        throw new Error(`the container is ${stdout.trim()}:\n${log}${stderr}`);
      }
      await pause(POLL_MS);
    }
  }

  beforeAll(async () => {
    mirror = await DebianMirror.start();
    const builder = await ImageBuilder.open(path.join(folder.path, 'builder'), BASE_IMAGE, mirror);
    const image = await builder.build({ target: TARGET?.target ?? '', args: TARGET?.args ?? {} });
    const archive = path.join(folder.path, 'image.tar');
    await builder.archive(image.tag, SERVICE.image, archive);
    await engine.start();
    expect(await docker('load', '--input', archive)).toMatchObject({ code: 0 });
    await start();
  });
  afterAll(async () => {
    await docker('rm', '--force', '--volumes', CONTAINER);
    await docker('volume', 'rm', '--force', 'data');
    await engine.remove();
    mirror?.close();
    folder.remove();
  });

  test('The container becomes ready without a network, and prints a link that signs a browser in.', async () => {
    const { stdout, stderr } = await docker('logs', CONTAINER);
    expect(stdout).toMatch(/^Sign in: http:\/\/127\.0\.0\.1:7420\/#code=\S+$/m);
    expect(stdout + stderr).not.toMatch(/Download|Warning: nats-server/);
    const { services } = await read<{ services: { ready: boolean }[] }>('status');
    expect(services.map(({ ready }) => ready)).toEqual(Array(services.length).fill(true));
  });

  test('The processes of the container are of an ordinary user without capabilities.', async () => {
    const { stdout } = await docker('exec', CONTAINER, 'cat', '/proc/1/status');
    expect(stdout).toMatch(/^Uid:\s+1000\s+1000/m);
    expect(stdout).toMatch(/^CapBnd:\s+0+$/m);
    expect(stdout).toMatch(/^NoNewPrivs:\s+1$/m);
    const compiler = await docker('exec', CONTAINER, 'sh', '-c', 'command -v cc gcc make');
    expect(compiler.stdout).toBe('');
  });

  test('A pack is published and agents race on it in sandboxes of the container.', async () => {
    for (const words of [
      ['challenge-pack', 'publish', `${EXAMPLES}/challenge-packs/small-python-tasks.yaml`],
      ['deployment', 'create', '-f', `${EXAMPLES}/deployments/small-python-tasks.yaml`],
    ]) {
      expect(await agentclash(...words)).toMatchObject({ code: 0 });
    }
    const race = ['--pack', 'small-python-tasks', '--deployment', 'oracle', 'idle', '--follow'];
    const { stdout, stderr } = await agentclash('eval', 'start', ...race);
    expect(`${stdout}${stderr}`).toMatch(/1\s+oracle\s+passed/);
  });

  test('A stopped container has ended in order, and a new one on its volume has the run, the token and the keys.', async () => {
    const before = await read<unknown>('eval', 'scorecard', 'last');
    expect(await docker('stop', '--time', '60', CONTAINER)).toMatchObject({ code: 0 });
    const { stdout } = await docker('inspect', '--format', '{{.State.ExitCode}}', CONTAINER);
    expect(stdout.trim()).toBe('0');
    expect(await docker('rm', CONTAINER)).toMatchObject({ code: 0 });
    await start();
    expect(await read<unknown>('eval', 'scorecard', 'last')).toEqual(before);
    const race = ['--pack', 'small-python-tasks', '--deployment', 'oracle', '--follow'];
    expect(await agentclash('eval', 'start', ...race)).toMatchObject({ code: 0 });
  });

  test('A second container on the volume is refused, and the first keeps its data and stays healthy.', async () => {
    const before = await read<unknown>('eval', 'scorecard', 'last');
    const second = await docker('run', '--rm', '--network', 'none', ...runOptions(SERVICE), SERVICE.image);
    expect(second).toMatchObject({ code: 69, stderr: expect.stringContaining('another container') });
    expect(await docker('exec', CONTAINER, ...SERVICE.healthcheck.test.slice(1))).toMatchObject({ code: 0 });
    expect(await docker('restart', '--time', '60', CONTAINER)).toMatchObject({ code: 0 });
    await waitFor(async () => (await agentclash('status', '--json')).code === 0, SOON);
    expect(await read<unknown>('eval', 'scorecard', 'last')).toEqual(before);
  });

  test('Without its security options a container ends, and its last line names them.', async () => {
    const { code, stderr } = await docker('run', '--rm', '--init', '--network', 'none', SERVICE.image);
    expect(code).toBe(69);
    for (const option of SERVICE.security_opt.filter((each) => each.endsWith('=unconfined')))
      expect(stderr).toContain(option);
  });

  test('A folder of another user in the place of the volume is refused with the user that should own it.', async () => {
    const data = path.join(folder.path, 'foreign');
    mkdirSync(data, { mode: 0o755 });
    const options = runOptions({ ...SERVICE, volumes: [`${data}:/data`] });
    const { stderr } = await docker('run', '--rm', '--network', 'none', ...options, SERVICE.image);
    expect(stderr).toContain("permission denied, mkdir '/data/config'");
    expect(stderr).toContain('user 1000');
  });

  describeUnless(withoutCompose(), 'the file for Docker Compose', () => {
    const file = path.join(folder.path, 'compose.yaml');
    const compose = (...words: string[]) => docker('compose', '--file', file, ...words);
    const inside = (stdin: string, ...words: string[]) =>
      dockerWith(stdin, 'compose', '--file', file, 'exec', '-T', 'agentclash', 'agentclash', ...words);

    /** The address on this machine, once it is healthy. */
    async function up(): Promise<string> {
      expect(await compose('up', '--detach', '--wait')).toMatchObject({ code: 0 });
      const { stdout } = await compose('port', 'agentclash', '7420');
      return `http://${stdout.trim()}`;
    }
    async function runsAt(url: string, token: string): Promise<RunSummary[]> {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/v1/workspaces/default/runs`, { headers });
      expect(response.status).toBe(200);
      return ((await response.json()) as { items: RunSummary[] }).items;
    }

    // On a port that is free: the machine's own stack may have the other.
    beforeAll(() => writeFileSync(file, COMPOSE_TEXT.replace(/127\.0\.0\.1:\d+:/, '127.0.0.1::')));
    afterAll(async () => {
      await compose('down', '--volumes');
    });

    test('Compose starts it, a browser signs in, and the run of a killed container ends after the next start, also for a new container.', async () => {
      const url = await up();
      const { stdout: link } = await inside('', 'open', '--print');
      const body = JSON.stringify({ code: new URL(link.trim()).hash.replace('#code=', '') });
      const headers = { 'content-type': 'application/json' };
      const signedIn = await fetch(`${url}/v1/sessions`, { method: 'POST', headers, body });
      expect(signedIn.status).toBe(201);
      const { token } = (await signedIn.json()) as { token: string };

      expect(await inside(SLOW_PACK, 'challenge-pack', 'publish', '-')).toMatchObject({ code: 0 });
      const agents = JSON.stringify({ deployments: [SLOW_AGENT] });
      expect(await inside(agents, 'deployment', 'create', '-f', '-')).toMatchObject({ code: 0 });
      const race = ['--pack', 'slow', '--deployment', 'slow'];
      expect(await inside('', 'eval', 'start', ...race)).toMatchObject({ code: 0 });
      await waitFor(async () => (await runsAt(url, token))[0]?.status === 'running', SOON);
      expect(await compose('kill')).toMatchObject({ code: 0 });

      const again = await up();
      await waitFor(async () => (await runsAt(again, token))[0]?.status === 'completed', SOON);
      expect(await compose('down')).toMatchObject({ code: 0 });
      const third = await up();
      expect(await runsAt(third, token)).toMatchObject([
        { number: 1, status: 'completed', progress: { passed: 1 } },
      ]);
    });
  });
});
