import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram, StackFolder } from '@agentclash/e2e';
import { PrivateEngine, withoutDocker } from '@agentclash/sandbox/fixtures/docker';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { repository } from '../repository.js';
import { describeUnless } from '../requirements.js';
import { type ComposeService, readCompose, runOptions } from './compose.js';
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

// The whole workspace is installed and built for it, which takes minutes.
describeUnless(withoutDocker() ?? missingForImages(), 'the image of the whole product', () => {
  const folder = new StackFolder();
  const engine = new PrivateEngine();
  let mirror: DebianMirror;

  const docker = async (...words: string[]) =>
    await runProgram('docker', words, {
      folder,
      env: { DOCKER_HOST: engine.address.url, DOCKER_CONFIG: folder.path },
      timeoutMs: COMMAND_MS_MAX,
    });
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
});
