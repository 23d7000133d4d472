import { describe, expect, test } from '@jest/globals';
import { resolveSpec } from '../resolved-spec.js';
import { seccompFilter } from '../seccomp/filter.js';
import type { SandboxSpec } from '../spec.js';
import type { KubernetesOptions } from './options.js';
import { podManifest } from './pod.js';
import { insideCommand } from './streams.js';

const OPTIONS: KubernetesOptions = {
  namespace: 'sandboxes',
  image: 'debian:12',
  insideImage: 'agentclash/sandbox-executor',
  insidePath: '/app/inside',
  owner: 'executor 1',
  templates: { science: 'science:3' },
};
const MIB = 1 << 20;

interface ContainerView {
  command: string[];
  image: string;
  securityContext: object;
  resources: { limits: Record<string, string>; requests: Record<string, string> };
  volumeMounts: { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[];
}

interface PodView {
  metadata: { labels: Record<string, string> };
  spec: {
    initContainers: ContainerView[];
    securityContext: { runAsUser: number };
    containers: [ContainerView, ...ContainerView[]];
    volumes: { name: string; emptyDir: { sizeLimit: string }; persistentVolumeClaim?: object }[];
    nodeSelector?: object;
    activeDeadlineSeconds: number;
  };
}

function podOf(changes: Partial<SandboxSpec> = {}, options: Partial<KubernetesOptions> = {}) {
  const limits = { cpu: 1.5, memoryBytes: 128 * MIB, pids: 64, workspaceBytes: 32 * MIB };
  const spec = resolveSpec({ limits, labels: { runId: 'r', attemptId: 'a' }, ...changes });
  return podManifest({ name: 'sb-1', spec, options: { ...OPTIONS, ...options }, now: 0 }) as PodView;
}

test('a pod has no rights, no token, no names of services and no way to gain anything', () => {
  const { spec } = podOf();
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    restartPolicy: 'Never',
    dnsPolicy: 'None',
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  });
  for (const container of [...spec.initContainers, ...spec.containers]) {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(Object.keys(container.resources.limits)).toEqual(['cpu', 'memory', 'ephemeral-storage']);
  }
});

test('every writable place has a size, and places in memory are added to the memory limit', () => {
  const { spec } = podOf();
  for (const { emptyDir } of spec.volumes) expect(Number(emptyDir.sizeLimit)).toBeGreaterThan(0);
  const [container] = spec.containers;
  const disks = (32 + 128 + 64 + 64) * MIB;
  expect(Number(container.resources.limits.memory)).toBe((128 + 16) * MIB + disks);
  expect(container.resources.limits.cpu).toBe('1500m');
});

test('a large workspace is stored on the disk of the node', () => {
  const { spec } = podOf({ limits: { cpu: 1, memoryBytes: MIB, pids: 1, workspaceBytes: 1024 * MIB } });
  const workspace = spec.volumes.find(({ name }) => name === 'workspace');
  expect(workspace?.emptyDir).toEqual({ sizeLimit: String(1024 * MIB) });
  expect(Number(spec.containers[0].resources.limits['ephemeral-storage'])).toBeGreaterThan(1024 * MIB);
});

test('several writable roots share one volume', () => {
  const { spec } = podOf({
    filesystem: { writableRoots: ['/workspace', '/data'], stagedRoots: ['/grader'] },
  });
  const mounts = spec.containers[0].volumeMounts.filter(({ name }) => name === 'workspace');
  expect(mounts).toEqual([
    { name: 'workspace', mountPath: '/data', subPath: '0' },
    { name: 'workspace', mountPath: '/workspace', subPath: '1' },
  ]);
});

test('a template is an image, and a runtime class and user namespaces are as configured', () => {
  const { spec, metadata } = podOf(
    { template: 'science' },
    { runtimeClassName: 'gvisor', hasUserNamespaces: true },
  );
  expect(spec).toMatchObject({ runtimeClassName: 'gvisor', hostUsers: false });
  expect(spec.containers[0].image).toBe('science:3');
  expect(metadata.labels['agentclash.dev/owner']).toBe('executor-1');
});

test('directories of commands are made by the init container as their user, and no node changes their group or bits', () => {
  const { spec } = podOf({ filesystem: { writableRoots: ['/workspace', '/data'] } });
  expect(spec).not.toHaveProperty('securityContext.fsGroup');
  const [inside] = spec.initContainers;
  const { volumeMounts } = spec.containers[0];
  const made = volumeMounts
    .filter(({ name }) => name !== 'inside')
    .map((mount) => `/volumes/${mount.name}/${mount.subPath}`);
  expect(made).toContain('/volumes/workspace/1');
  expect(inside?.command.slice(4)).toEqual(['1000', ...made]);
  const seen = inside?.volumeMounts.map(({ name, mountPath }) => [name, mountPath]);
  expect(seen).toEqual(
    spec.volumes.map(({ name }) => [name, name === 'inside' ? '/agentclash' : `/volumes/${name}`]),
  );
});

test('the filter of system calls is brought for both machines, since the node is not known yet', () => {
  const [, , , filters] = podOf().spec.initContainers[0]?.command ?? [];
  expect(filters).toBe(
    (['x64', 'arm64'] as const)
      .map((machine) => `${machine}=${seccompFilter(machine).toString('hex')}`)
      .join(','),
  );
});

test('a pod of a range of uids runs as its own, and has a name for it', () => {
  const spec = resolveSpec({
    limits: { cpu: 1, memoryBytes: MIB, pids: 1, workspaceBytes: MIB },
    labels: { runId: 'r', attemptId: 'a' },
  });
  const pod = podManifest({ name: 'sb-1', spec, options: OPTIONS, now: 0, uid: 123_456 }) as PodView;
  expect(pod.spec).toMatchObject({ securityContext: { runAsUser: 123_456, runAsGroup: 123_456 } });
  const { volumeMounts } = pod.spec.containers[0];
  expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(
    expect.arrayContaining(['/etc/passwd', '/etc/group']),
  );
  expect(podOf().spec.containers[0].volumeMounts.map(({ mountPath }) => mountPath)).not.toContain(
    '/etc/passwd',
  );
});

describe('The pod of a runtime class, which may be gVisor', () => {
  const gvisor = { runtimeClassName: 'gvisor' };

  test('the streams of the process inside are those of a container with another user, and nothing to lose', () => {
    const { initContainers, containers, securityContext } = podOf({}, gvisor).spec;
    const [sandbox, streams] = containers;
    expect(sandbox.command).toEqual(['/agentclash/inside', 'await']);
    expect(streams).toMatchObject({
      name: 'streams',
      image: OPTIONS.insideImage,
      command: ['/app/inside', 'hold'],
      securityContext: {
        ...sandbox.securityContext,
        runAsNonRoot: true,
        runAsUser: 65_532,
        runAsGroup: 65_532,
      },
      resources: { limits: { cpu: '200m' } },
    });
    expect(streams).not.toHaveProperty('volumeMounts');
    expect(securityContext.runAsUser).toBe(1000);
    expect(podOf().spec.containers).toHaveLength(1);
    expect(podOf().spec.initContainers).toHaveLength(1);
    // Files of the platform belong to that user, too, and directories of commands to theirs.
    const [inside, directories] = initContainers;
    expect(inside).toMatchObject({ name: 'inside', securityContext: { runAsUser: 65_532 } });
    expect(inside?.command.slice(4)).toEqual(['1000']);
    expect(directories?.command.slice(0, 3)).toEqual(['/app/inside', 'directories', '/volumes/workspace/0']);
    expect(directories?.securityContext).toEqual(sandbox.securityContext);
  });

  test('the user of the streams is never the one of commands, and none of an image', () => {
    const spec = resolveSpec({
      limits: { cpu: 1, memoryBytes: MIB, pids: 1, workspaceBytes: MIB },
      labels: { runId: 'r', attemptId: 'a' },
    });
    const options = { ...OPTIONS, ...gvisor };
    const pod = podManifest({ name: 'sb-1', spec, options, now: 0, uid: 65_532 }) as PodView;
    expect(pod.spec.containers[1]?.securityContext).toMatchObject({ runAsUser: 65_531 });
    const image = { reference: `registry.example/app@sha256:${'a'.repeat(64)}`, runAsRoot: true };
    const { initContainers, containers } = podOf({ image }, gvisor).spec;
    expect(initContainers).toHaveLength(1);
    expect(containers[1]?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65_532,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('the executor runs the process inside by that container', () => {
    const { insidePath } = OPTIONS;
    expect(insideCommand({ insidePath, ...gvisor }, ['confined'])).toEqual({
      container: 'streams',
      command: ['/app/inside', 'join', 'confined'],
    });
    expect(insideCommand({ insidePath }, ['confined'])).toEqual({
      container: 'sandbox',
      command: ['/agentclash/inside', 'confined'],
    });
  });
});

test('a pod reserves the CPU that it may use, or the configured part of it', () => {
  expect(podOf().spec.containers[0].resources.requests.cpu).toBe('1500m');
  expect(podOf({}, { cpuRequestShare: 0.1 }).spec.containers[0].resources).toMatchObject({
    limits: { cpu: '1500m' },
    requests: { cpu: '150m' },
  });
});

test('the wall time ends the pod from outside', () => {
  const limits = { cpu: 1, memoryBytes: MIB, pids: 1, workspaceBytes: MIB, wallMs: 90_000 };
  expect(podOf({ limits }).spec.activeDeadlineSeconds).toBe(150);
  expect(podOf().spec.activeDeadlineSeconds).toBe(86_400);
});

describe('Directories of the host in a pod', () => {
  const claim = { name: 'agent-packages', directory: '/agent-packages' };
  const directories = [
    { source: '/agent-packages/pi-01/node_modules', path: '/opt/agents/pi/node_modules' },
    { source: '/agent-packages/node-02/node_modules/node', path: '/opt/agents/node' },
  ];

  test('a pod mounts each directory alone and read-only, by a claim that is read-only too', () => {
    const { spec } = podOf({ directories }, { directories: claim });
    const [container] = spec.containers;
    expect(container.volumeMounts.filter(({ name }) => name === 'directories')).toEqual([
      {
        name: 'directories',
        mountPath: '/opt/agents/pi/node_modules',
        subPath: 'pi-01/node_modules',
        readOnly: true,
      },
      {
        name: 'directories',
        mountPath: '/opt/agents/node',
        subPath: 'node-02/node_modules/node',
        readOnly: true,
      },
    ]);
    const [volume] = spec.volumes.filter(({ name }) => name === 'directories');
    expect(volume).toEqual({
      name: 'directories',
      persistentVolumeClaim: { claimName: 'agent-packages', readOnly: true },
    });
    const prepared = spec.initContainers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name));
    expect(prepared).not.toContain('directories');
  });

  test('a pod with directories runs where their programs do, and one without mounts no claim', () => {
    const nodes = { nodeSelector: { pool: 'sandboxes' } };
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    expect(podOf({ directories }, { directories: claim, ...nodes }).spec.nodeSelector).toEqual({
      pool: 'sandboxes',
      'kubernetes.io/arch': architecture,
    });
    const { spec } = podOf({}, { directories: claim });
    expect(spec.nodeSelector).toBeUndefined();
    expect(spec.volumes.filter(({ persistentVolumeClaim }) => persistentVolumeClaim)).toEqual([]);
  });

  test('a part of the volume may be what the executor has mounted', () => {
    const { spec } = podOf({ directories }, { directories: { ...claim, path: 'agents/shared' } });
    const parts = spec.containers[0].volumeMounts.flatMap(({ subPath = '' }) =>
      subPath.startsWith('agents') ? subPath : [],
    );
    expect(parts).toEqual(['agents/shared/pi-01/node_modules', 'agents/shared/node-02/node_modules/node']);
  });

  test.each([
    ['the whole volume', '/agent-packages'],
    ['the whole volume by another spelling', '/agent-packages/pi-01/..'],
    ['a directory beside it', '/agent-packages-other/x'],
    ['a directory above it by dots', '/agent-packages/../etc'],
    ['a directory elsewhere', '/etc'],
  ])('a pod is refused %s', (_what, source) => {
    const open = () => podOf({ directories: [{ source, path: '/opt/x' }] }, { directories: claim });
    expect(open).toThrow(expect.objectContaining({ code: 'unsupported', capability: 'hostDirectories' }));
  });
});

describe('The pod of an image', () => {
  const reference = `registry.example/app@sha256:${'a'.repeat(64)}`;
  const imagePod = (runAsRoot: boolean, options: Partial<KubernetesOptions> = {}) =>
    podOf({ image: { reference, runAsRoot } }, options).spec;

  test('its root is writable and watched, and its only volumes are those of the platform', () => {
    const { containers, initContainers, volumes } = imagePod(false);
    expect(containers[0].image).toBe(reference);
    expect(containers[0].volumeMounts).toEqual([
      { name: 'inside', mountPath: '/agentclash', readOnly: true },
      { name: 'shm', mountPath: '/dev/shm' },
    ]);
    expect(volumes.map(({ name }) => name)).toEqual(['inside', 'shm']);
    expect(initContainers[0]?.command.slice(4)).toEqual(['1000']);
    const { limits } = containers[0].resources;
    expect(Number(limits['ephemeral-storage'])).toBeGreaterThan((32 + 8) * MIB);
    expect(Number(limits.memory)).toBe((128 + 16 + 64) * MIB);
  });

  test('its process inside begins as root, with what it needs to become the user and no other capability', () => {
    const prepares = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETUID', 'SETGID', 'SETPCAP'];
    const root = [
      ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID'],
      ...['SETUID', 'SETGID', 'KILL', 'SYS_CHROOT'],
    ];
    for (const [runAsRoot, add] of [
      [false, prepares],
      [true, root],
    ] as const) {
      const spec = imagePod(runAsRoot, { uids: { first: 100_000, last: 200_000 } });
      expect(spec).toMatchObject({ securityContext: { runAsUser: 0, runAsGroup: 0, runAsNonRoot: false } });
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        privileged: false,
        readOnlyRootFilesystem: false,
        capabilities: { drop: ['ALL'], add },
      });
      expect(spec.initContainers[0]).toMatchObject({
        securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      });
    }
  });
});
