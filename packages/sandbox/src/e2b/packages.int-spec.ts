import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DebianFixture } from '../testing/debian-fixture.js';
import { E2bFixture } from '../testing/e2b/fixture.js';
import type { E2bProvider } from './provider.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
  labels: { runId: 'r', attemptId: 'a' },
};

describe('packages in machines of E2B', () => {
  let debian: DebianFixture;
  let fixture: E2bFixture;
  let provider: E2bProvider;
  beforeAll(async () => {
    debian = new DebianFixture();
    await debian.start();
  });
  beforeEach(async () => {
    fixture = new E2bFixture();
    const packageDir = path.join(debian.directory, 'cache');
    await fixture.start({ templates: { tiny: debian.root }, packageDir }, 'tiny');
    provider = await fixture.connect();
  });
  afterEach(async () => {
    await provider.close();
    await fixture.expectNothingLeft();
  });
  afterAll(() => debian.close());

  const greeting = async (packages: readonly string[], by = provider) => {
    const session = await by.create({ ...SPEC, packages });
    const { stdout } = await session.exec(['greet']);
    await session.destroy();
    return stdout.toString();
  };
  const builds = () => fixture.service.templates.commands;

  test('packages are there when the agent starts, built once for any number and order of requests', async () => {
    expect(provider.capabilities.packages && provider.installsPackages()).toBe(true);
    const wishes = [
      ['greeter', 'greeter-data'],
      ['greeter-data', 'greeter'],
      ['greeter', 'greeter-data', 'greeter'],
    ];
    const outputs = await Promise.all(wishes.map((wish) => greeting(wish)));
    expect(outputs).toEqual(['hello\n', 'hello\n', 'hello\n']);
    expect(builds()).toEqual([expect.stringMatching(/--no-remove .* install -- greeter greeter-data$/)]);
    const plain = await provider.create(SPEC);
    expect((await plain.exec(['greet'])).exitCode).toBe(127);
  });

  test('packages are built in machines of the size of their template, and are found by later requests', async () => {
    await greeting(['greeter']);
    expect(fixture.service.templates.all.at(-1)).toMatchObject({ cpuCount: 4, memoryMB: 2048 });
    const later = await fixture.connect('executor-2');
    expect(await greeting(['greeter'], later)).toBe('hello\n');
    expect(builds()).toHaveLength(1);
    await later.close();
  });

  test('packages that do not exist are refused by name, once, and no name is an option or a command', async () => {
    const refused = {
      code: 'unsupported',
      capability: 'packages',
      message: expect.stringContaining('nowhere'),
    };
    for (let round = 0; round < 2; round++) {
      await expect(greeting(['greeter', 'nowhere'])).rejects.toMatchObject(refused);
    }
    expect(builds()).toHaveLength(1);
    for (const name of ['--version', 'a;reboot', '$(id)', 'a b']) {
      await expect(greeting([name])).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    expect(builds()).toHaveLength(1);
  });

  test('packages whose build fails for another reason are unavailable, and built when it works again', async () => {
    fixture.service.templates.trouble = 'the mirror cannot be reached';
    const failed = {
      code: 'unavailable',
      fix: expect.any(String),
      cause: expect.objectContaining({
        message: expect.stringContaining('the mirror cannot be reached'),
      }),
    };
    await expect(greeting(['greeter'])).rejects.toMatchObject(failed);
    fixture.service.templates.trouble = undefined;
    expect(await greeting(['greeter'])).toBe('hello\n');
  });

  test('a cancelled request and a closed provider do not wait for packages', async () => {
    const abort = new AbortController();
    const given = provider.create({ ...SPEC, packages: ['greeter'] }, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    const left = greeting(['greeter-data']).catch((error: Error) => error.message);
    await provider.close();
    expect(await left).toBe('the sandbox provider is closed');
  });
});
