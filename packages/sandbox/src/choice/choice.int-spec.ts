import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeE2b } from '../testing/e2b/fake-e2b.js';
import { ClusterFixture } from '../testing/kubernetes/fixture.js';
import { TestProvider } from '../testing/test-provider.js';
import { SandboxEnvironment } from './choice.js';
import { probeSandbox } from './probe.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-choice-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['linux', 'darwin', 'win32'])('on %s the provider is the one that can run there', (platform) => {
  const program = `
    Object.defineProperty(process, 'platform', { value: '${platform}' });
    const { SandboxEnvironment } = await import('${pathToFileURL(path.resolve(import.meta.dirname, '../../dist/index.js'))}');
    console.log(SandboxEnvironment.parse({}).sandbox.provider);
  `;
  const words = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ provider: stdout.trim(), stderr }).toEqual({
    provider: platform === 'linux' ? 'bubblewrap' : 'docker',
    stderr: '',
  });
});

describe('kubernetes, chosen by variables', () => {
  const fixture = new ClusterFixture();
  let environment: Record<string, string> = {};
  beforeAll(async () => {
    await fixture.start();
    const tokenFile = path.join(folder, 'token');
    writeFileSync(tokenFile, `${fixture.cluster.token}\n`);
    environment = {
      SANDBOX_PROVIDER: 'kubernetes',
      SANDBOX_NAMESPACE: 'sandboxes',
      SANDBOX_IMAGE: 'debian:12',
      SANDBOX_INSIDE_IMAGE: 'agentclash/inside',
      SANDBOX_TEMPLATES: 'node=node:22',
      SANDBOX_API_URL: fixture.url,
      SANDBOX_API_TOKEN_FILE: tokenFile,
    };
  });
  afterAll(() => fixture.close());

  test('kubernetes opens with the values of the variables', async () => {
    const { provider, facts } = await SandboxEnvironment.parse(environment).sandbox.open();
    try {
      expect(provider).toMatchObject({ name: 'kubernetes', isolation: 'full' });
      expect(provider.capabilities.templates).toEqual(['node']);
      expect(facts).toEqual({ enforcement: 'enforced' });
    } finally {
      await provider.close();
    }
  });

  test('kubernetes is probed without touching the sandboxes of executors', async () => {
    const executor = await fixture.open();
    const session = await executor.create({
      limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
      labels: { runId: 'run', attemptId: 'attempt' },
    });
    const probe = await probeSandbox({ ...environment, SANDBOX_OWNER: 'executor-1' });
    // The cluster has the strict standard for pods, so that only images are missing.
    const problems = [{ problem: expect.stringContaining('PodSecurity') }];
    expect(probe).toMatchObject({ provider: 'kubernetes', level: 'full', problems });
    expect((await session.exec(['true'])).exitCode).toBe(0);
    await executor.close();
  });

  test('a refused token of kubernetes is reported, and the token is not shown', async () => {
    const wrong = path.join(folder, 'wrong');
    writeFileSync(wrong, 'not-the-token');
    const probe = await probeSandbox({ ...environment, SANDBOX_API_TOKEN_FILE: wrong });
    expect(probe).toMatchObject({ provider: 'kubernetes', level: 'none' });
    expect(JSON.stringify(probe)).toMatch(/401/);
    expect(JSON.stringify(probe)).not.toContain('not-the-token');
  });
});

describe('e2b, chosen by variables', () => {
  const machine = new TestProvider();
  let service: FakeE2b | undefined;
  let environment: Record<string, string> = {};
  beforeAll(async () => {
    service = new FakeE2b(await machine.open());
    environment = {
      SANDBOX_PROVIDER: 'e2b',
      E2B_API_KEY: service.apiKey,
      E2B_API_URL: await service.start(),
    };
  });
  afterAll(async () => {
    await service?.close();
    await machine.close();
  });

  test('e2b opens with a key that the service accepts', async () => {
    const { provider } = await SandboxEnvironment.parse(environment).sandbox.open();
    await provider.close();
    expect(provider).toMatchObject({ name: 'e2b', capabilities: { strongIsolation: true } });
  });

  test('a wrong key of e2b is reported as refused, and the key is not shown', async () => {
    const probe = await probeSandbox({ ...environment, E2B_API_KEY: 'wrong-key' });
    expect(probe).toMatchObject({ provider: 'e2b', level: 'none' });
    expect(JSON.stringify(probe)).toMatch(/401/);
    expect(probe.problems).toMatchObject([{ fix: expect.stringContaining('E2B_API_KEY') }]);
    expect(JSON.stringify(probe)).not.toContain('wrong-key');
  });
});

test('a template without an image is reported, and is not offered', async () => {
  const machine = new TestProvider();
  const nowhere = path.join(folder, 'nowhere');
  const provider = await machine.open({ templates: { here: folder, lost: nowhere } });
  expect(provider.capabilities.templates).toEqual(['here']);
  const problem = `the template lost is not offered: there is no directory ${nowhere}`;
  expect(provider.host.shortfalls).toContainEqual({
    problem,
    fix: expect.stringContaining('SANDBOX_TEMPLATES'),
  });
  await provider.close();
  await machine.expectNothingLeft();
});

test('the error of sandboxes without a writable directory names the setting for one', async () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  const machine = new TestProvider();
  const refused = { code: 'unavailable' };
  await expect(machine.open({ cacheDir: path.join(file, 'cache') })).rejects.toMatchObject({
    ...refused,
    fix: expect.stringContaining('XDG_CACHE_HOME'),
  });
  await expect(machine.open({ stateDir: path.join(file, 'state') })).rejects.toMatchObject({
    ...refused,
    fix: expect.stringContaining('XDG_RUNTIME_DIR'),
  });
  rmSync(machine.stateDir, { recursive: true });
});

test('a choice that cannot be read is reported variable by variable', async () => {
  const { level, problems } = await probeSandbox({ SANDBOX_PROVIDER: 'kubernetes', SANDBOX_IMAGE: '' });
  expect(level).toBe('none');
  expect(problems.map(({ problem }) => problem.split(':')[0])).toEqual([
    'SANDBOX_NAMESPACE',
    'SANDBOX_IMAGE',
    'SANDBOX_INSIDE_IMAGE',
  ]);
});
