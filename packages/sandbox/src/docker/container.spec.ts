import { expect, test } from '@jest/globals';
import { resolveSpec } from '../resolved-spec.js';
import type { SandboxSpec } from '../spec.js';
import { type ContainerPlan, containerConfig } from './container.js';

const MIB = 1024 * 1024;
const LIMITS = { cpu: 0.5, memoryBytes: 100 * MIB, pids: 20, workspaceBytes: 10 * MIB };
const NAMES = { owner: 'o', labels: { runId: 'r', attemptId: 'a' }, now: 0 };

function config(changes: Partial<ContainerPlan> = {}, spec: Partial<SandboxSpec> = {}) {
  const plan: ContainerPlan = {
    image: 'sha256:1',
    uid: 1_500_000,
    spec: resolveSpec({ limits: LIMITS, labels: { runId: 'r', attemptId: 'a' }, ...spec }),
    sizes: {},
    insideVolume: 'inside',
    isGvisor: false,
    isUidOwn: true,
    ...changes,
  };
  return containerConfig(plan, NAMES) as {
    Cmd: string[];
    User: string;
    Labels: Record<string, string>;
    HostConfig: Record<string, unknown> & { Tmpfs: Record<string, string>; CapAdd: string[] };
  };
}

test('a container has no network, no capability, no new privileges, no log and a root that cannot be written', () => {
  expect(config().HostConfig).toMatchObject({
    NetworkMode: 'none',
    CapDrop: ['ALL'],
    CapAdd: [],
    SecurityOpt: ['no-new-privileges'],
    ReadonlyRootfs: true,
    LogConfig: { Type: 'none' },
  });
  expect(config().User).toBe('1500000:1500000');
});

test('the limits of CPU, memory and processes are those of the spec, with what its disks and the process inside take', () => {
  const disks = (10 + 128 + 64 + 64 + 16) * MIB;
  expect(config().HostConfig).toMatchObject({
    CpuPeriod: 100_000,
    CpuQuota: 50_000,
    Memory: 100 * MIB + disks,
    MemorySwap: 100 * MIB + disks,
    PidsLimit: 84,
  });
});

test('each writable directory is a disk in memory with a size, a number of files and an owner', () => {
  const { Tmpfs } = config({}, { filesystem: { stagedRoots: ['/grader'] } }).HostConfig;
  expect(Object.keys(Tmpfs).sort()).toEqual(['/grader', '/home/agent', '/tmp', '/workspace']);
  expect(Tmpfs['/workspace']).toBe(
    `rw,exec,nosuid,nodev,size=${10 * MIB},nr_inodes=10240,mode=755,uid=1500000,gid=1500000`,
  );
});

test('a directory of the image cannot become a disk', () => {
  const spec = { filesystem: { workingDirectory: '/usr/lib/x' } };
  expect(() => config({}, spec)).toThrow('/usr/lib/x cannot be writable here');
});

test('the root of an image is writable, and its process keeps what it needs to become the user, or what root may', () => {
  const root = { runAsRoot: false, volumes: ['/data'] };
  const asUser = config({ root });
  expect(asUser).toMatchObject({ User: '0:0', HostConfig: { ReadonlyRootfs: false } });
  expect(asUser.Cmd.slice(0, 3)).toEqual(['root', '1000', '/home/agent']);
  expect(asUser.HostConfig.CapAdd).toContain('SETPCAP');
  expect(Object.keys(asUser.HostConfig.Tmpfs)).toEqual(['/data']);
  const asRoot = config({ root: { ...root, runAsRoot: true } });
  expect(asRoot.Cmd.slice(0, 3)).toEqual(['root', '0', '/root']);
  expect(asRoot.HostConfig.CapAdd).not.toContain('SETPCAP');
});

test('the size of a root is limited where the daemon can', () => {
  const root = { runAsRoot: false, volumes: [] };
  expect(config({ root }).HostConfig).not.toHaveProperty('StorageOpt');
});

test('a container names its owner, its attempt and the time after which it has none', () => {
  expect(config().Labels).toEqual({
    'agentclash.dev/managed-by': 'agentclash-sandbox',
    'agentclash.dev/owner': 'o',
    'agentclash.dev/run-id': 'r',
    'agentclash.dev/attempt-id': 'a',
    'agentclash.dev/expires': '1970-01-02T00:00:00.000Z',
  });
});

test('on gVisor, which truncates files of read-only mounts, the daemon itself keeps directories read-only', () => {
  const directories = [{ source: '/srv/shown', path: '/opt/shown' }];
  const [, plain] = config({}, { directories }).HostConfig.Mounts as object[];
  expect(plain).toMatchObject({ Type: 'bind', Source: '/srv/shown', ReadOnly: true });
  const [, volume] = config({ isGvisor: true }, { directories }).HostConfig.Mounts as object[];
  expect(volume).toMatchObject({
    Type: 'volume',
    Target: '/opt/shown',
    ReadOnly: true,
    VolumeOptions: {
      NoCopy: true,
      DriverConfig: { Name: 'local', Options: { type: 'none', o: 'bind,ro', device: '/srv/shown' } },
    },
  });
});

test('on gVisor a process of root has the streams of the container, and commands are another user', () => {
  const { User, Cmd, HostConfig } = config({ isGvisor: true });
  expect([User, Cmd.slice(0, 3), HostConfig.CapAdd]).toEqual([
    '0:0',
    ['relay', '1500000', 'confined'],
    ['SETUID', 'SETGID', 'SETPCAP'],
  ]);
});
