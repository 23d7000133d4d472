import { expect, test } from '@jest/globals';
import { factsOf } from './daemon-facts.js';
import type { EngineInfo } from './engine-objects.js';
import type { DockerOptions } from './options.js';

const OPTIONS = { address: { url: 'unix:///docker.sock' }, image: 'image', owner: 'owner' };
const withFlags = (...runtimeArgs: string[]) =>
  ({
    ...{ MemoryLimit: true, PidsLimit: true, CpuCfsQuota: true, DockerRootDir: '/absent' },
    ...{ Runtimes: { runc: {}, runsc: { runtimeArgs } }, DefaultRuntime: 'runc' },
  }) as unknown as EngineInfo;
const hasLimits = (info: EngineInfo, options: Partial<DockerOptions> = {}) =>
  factsOf(info, { ...OPTIONS, ...options }).hasLimits;

test('a runtime that ignores cgroups limits nothing, also as the default of the daemon', () => {
  const info = withFlags('--network=none', '--ignore-cgroups');
  expect(hasLimits(info, { runtime: 'runsc' })).toBe(false);
  expect(hasLimits({ ...info, DefaultRuntime: 'runsc' })).toBe(false);
  expect(hasLimits(info)).toBe(true);
});

test.each(['--network=none', '--ignore-cgroups=false', '--platform=ptrace'])(
  'with %s alone a runtime limits what the daemon limits',
  (flag) => {
    expect(hasLimits(withFlags(flag), { runtime: 'runsc' })).toBe(true);
  },
);
