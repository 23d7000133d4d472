import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SandboxProvider, SandboxSession } from '../contract.js';
import { DebianFixture } from '../testing/debian-fixture.js';
import { TestProvider } from '../testing/test-provider.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
  labels: { runId: 'r', attemptId: 'a' },
};

test('packages that the image has are served as they are', async () => {
  const machine = new TestProvider();
  const provider = await machine.open();
  const session = await provider.create({ ...SPEC, packages: ['dpkg', 'bash'] });
  expect((await session.exec(['bash', '-c', 'echo here'])).stdout.toString()).toBe('here\n');
  await provider.close();
  await machine.expectNothingLeft();
});

test('an image of another kind cannot be given packages, and the provider reports it', async () => {
  const machine = new TestProvider();
  const provider = await machine.open({ templates: { bare: machine.stateDir } });
  expect(provider.installsPackages('bare')).toBe(false);
  const refused = provider.create({ ...SPEC, template: 'bare', packages: ['jq'] });
  await expect(refused).rejects.toMatchObject({ code: 'unsupported', capability: 'packages' });
  await provider.close();
  await machine.expectNothingLeft();
});

describe('packages that an image lacks', () => {
  let debian: DebianFixture;
  let machine: TestProvider;
  let packageDir: string;
  let provider: SandboxProvider;
  beforeAll(() => {
    debian = new DebianFixture();
  });
  beforeEach(async () => {
    await debian.start();
    debian.requested.length = 0;
    machine = new TestProvider();
    packageDir = path.join(debian.directory, `cache-${path.basename(machine.stateDir)}`);
    provider = await open();
  });
  afterEach(async () => {
    await provider.close();
    await machine.expectNothingLeft();
    await debian.stop();
  });
  afterAll(() => debian.close());

  const open = () => machine.open({ templates: { tiny: debian.root }, packageDir });
  const create = (packages: readonly string[], by = provider) =>
    by.create({ ...SPEC, template: 'tiny', packages });
  const layers = () => readdirSync(packageDir).filter((name) => name.startsWith('layer-'));
  const downloads = () => debian.requested.filter((url) => url.endsWith('.deb')).length;

  test('missing packages are there, with their dependencies and settings, beside the packages of the image', async () => {
    expect(provider.installsPackages('tiny')).toBe(true);
    const session = await create(['greeter']);
    expect(await outputOf(session, 'greet')).toBe('hello\n');
    expect(await outputOf(session, 'greet', '/etc/greeter.conf')).toBe('loud\n');
    expect(await outputOf(session, 'show', '/usr/share/original')).toBe('of the image\n');
    expect(await outputOf(session, 'show', '/etc/hostname')).toBe('sandbox\n');
    await expect(session.writeFile('/usr/share/greeting', 'x')).rejects.toMatchObject({
      code: 'not_permitted',
    });
    const { mode } = await session.stat('/usr/bin/greet', { roots: ['/'] });
    expect((mode ?? 0) & 0o6000).toBe(0);
    const plain = await create([]);
    expect((await plain.exec(['greet'])).exitCode).toBe(127);
  });

  test('missing packages are downloaded once, for any number, order and origin of the requests', async () => {
    const other = new TestProvider();
    const second = await other.open({ templates: { tiny: debian.root }, packageDir });
    try {
      const wishes = [
        ['greeter', 'greeter-data'],
        ['greeter-data', 'greeter'],
        ['greeter', 'greeter-data', 'greeter'],
      ];
      const sessions = await Promise.all(wishes.flatMap((wish) => [create(wish), create(wish, second)]));
      const outputs = await Promise.all(sessions.map((session) => outputOf(session, 'greet')));
      expect(new Set(outputs)).toEqual(new Set(['hello\n']));
      expect([layers().length, downloads()]).toEqual([1, 2]);
      await Promise.all(sessions.map((session) => session.destroy()));
    } finally {
      await second.close();
      await other.expectNothingLeft();
    }
  });

  test('prepared packages need no network; a missing network is reported with the next step, and a retry succeeds', async () => {
    await debian.stop();
    await expect(create(['greeter'])).rejects.toMatchObject({
      code: 'unavailable',
      fix: expect.stringContaining('SANDBOX_TEMPLATES'),
    });
    expect(layers()).toEqual([]);
    await debian.start();
    await create(['greeter']);
    await debian.stop();
    expect(await outputOf(await create(['greeter']), 'greet')).toBe('hello\n');
  });

  test('packages that do not exist are refused by name, and a name cannot be a pattern or an option', async () => {
    const unknown = { code: 'unsupported', capability: 'packages', fix: expect.any(String) };
    await expect(create(['greeter', 'nowhere'])).rejects.toMatchObject({
      ...unknown,
      message: 'there is no package nowhere for this image',
    });
    await expect(create(['greet.+'])).rejects.toMatchObject(unknown);
    await expect(create(['greeter', 'base-'])).rejects.toMatchObject({ code: 'unsupported' });
    for (const name of ['--version', './x.deb', 'greeter=1', 'a b']) {
      await expect(create([name])).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    expect(downloads()).toBe(0);
  });

  test('packages are found by the names that they register, without running their scripts', async () => {
    const session = await create(['greeter']);
    expect(await outputOf(session, 'welcome')).toBe('hello\n');
    expect(existsSync(path.join(debian.directory, 'was-run'))).toBe(false);
  });

  test('packages cannot lead the files of another out of the cache', async () => {
    await expect(create(['follower'])).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(path.join(debian.directory, 'escaped'))).toBe(false);
    expect(layers()).toEqual([]);
  });

  test('packages are unpacked again when the image has changed', async () => {
    await (await create(['greeter-data'])).destroy();
    debian.install('base', '1.1');
    await create(['greeter-data']);
    expect(layers()).toHaveLength(2);
  });

  test('packages are removed when they are too many and long unused, but never under a sandbox that uses them', async () => {
    await provider.close();
    const narrow = { templates: { tiny: debian.root }, packageDir, packageBytesMax: 1 };
    provider = await machine.open(narrow);
    await (await create(['greeter-data'])).destroy();
    const [idle = ''] = layers();
    const user = await create(['greeter']);
    const [used = ''] = layers().filter((name) => name !== idle);
    const facts = (layer: string) => path.join(packageDir, layer, 'layer.json');
    for (const layer of [idle, used]) utimesSync(facts(layer), 0, 0);
    await (await create(['stray'])).destroy();
    expect(layers()).toContain(used);
    expect(layers()).not.toContain(idle);
    expect(await outputOf(user, 'greet')).toBe('hello\n');
    // Other processes see by its time that it is in use.
    await provider.reap();
    expect(Date.now() - statSync(facts(used)).mtimeMs).toBeLessThan(60_000);
    await user.destroy();
    utimesSync(facts(used), 0, 0);
    await create(['greeter-data']);
    expect(layers()).not.toContain(used);
  });

  test('a killed preparation of packages leaves nothing in the way of the next', async () => {
    mkdirSync(path.join(packageDir, 'build-dead/root'), { recursive: true });
    await create(['greeter']);
    expect(readdirSync(packageDir).filter((name) => /^(build|gone)-/.test(name))).toEqual([]);
  });

  test('a cancelled request and a closed provider do not wait for packages', async () => {
    const abort = new AbortController();
    const given = provider.create(
      { ...SPEC, template: 'tiny', packages: ['greeter'] },
      { signal: abort.signal },
    );
    abort.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    const left = create(['greeter-data']).then(
      () => 'opened',
      (error: Error) => error.message,
    );
    await provider.close();
    expect(await left).toBe('the sandbox provider is closed');
  });
});

async function outputOf(session: SandboxSession, ...argv: string[]): Promise<string> {
  const { stdout, stderr } = await session.exec(argv);
  return `${stdout}${stderr}`;
}
