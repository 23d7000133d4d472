import { expect, test } from '@jest/globals';
import { type BuilderOptions, type BuildPlan, buildJob } from './build-job.js';

const PLAN: BuildPlan = {
  name: 'build-1',
  key: 'k1',
  dockerfile: 'FROM localhost/base0\nRUN echo $HOME $$ $(id)\n',
  bases: ["it's"],
  pulled: [{ name: 'docker.io/library/debian:12', isInsecure: false }],
  contextBytes: 2048,
  timeoutMs: 60_000,
  hasNetwork: false,
};
const OPTIONS: BuilderOptions = {
  ...{ namespace: 'builds', image: 'builder:1', repository: 'registry.example/built', secret: 'push' },
};

interface Container {
  name: string;
  command: string[];
  env?: { name: string; value: string }[];
  volumeMounts: { name: string; readOnly?: boolean }[];
  resources: { limits: Record<string, string> };
  securityContext: {
    runAsUser: number;
    capabilities: { drop: string[]; add?: string[] };
    seccompProfile: { type: string };
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    privileged?: boolean;
  };
}

function jobOf(plan: Partial<BuildPlan> = {}, options: Partial<BuilderOptions> = {}) {
  const { spec } = buildJob({ ...PLAN, ...plan }, { ...OPTIONS, ...options }) as {
    spec: Record<string, number> & {
      template: { spec: Record<string, unknown> & { initContainers: Container[]; containers: Container[] } };
    };
  };
  const pod = spec.template.spec;
  const containers = [...pod.initContainers, ...pod.containers];
  const named = (name: string): Container => {
    const found = containers.find((container) => container.name === name);
    if (found === undefined) throw new Error(`there is no container ${name}`);
    return found;
  };
  return { spec, pod, containers, named };
}

test('commands of authors run beside no secret and no token, and the containers with the secret run none of them', () => {
  const { pod, containers } = jobOf();
  expect(pod).toMatchObject({ automountServiceAccountToken: false, restartPolicy: 'Never' });
  const order = ['context', 'bases', 'build', 'push'];
  expect(containers.map(({ name }) => name)).toEqual(order);
  const holders = containers.filter(({ volumeMounts }) => volumeMounts.some(({ name }) => name === 'auth'));
  expect(holders.map(({ name }) => name)).toEqual(['bases', 'push']);
  const running = containers.filter(({ env = [] }) => env.some(({ name }) => name === 'DOCKERFILE'));
  expect(running.map(({ name }) => name)).toEqual(['build']);
  // The storage that a build leaves is not read where the secret is.
  const shared = holders.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name));
  expect(shared).not.toContain('store');
});

test.each([
  ['rootless', 1000, ['SETUID', 'SETGID'], 'Unconfined'],
  ['root', 0, expect.arrayContaining(['SYS_ADMIN']), 'RuntimeDefault'],
] as const)('only the container that builds has more than nothing: %s', (user, uid, capabilities, filter) => {
  const { containers } = jobOf({}, { user });
  for (const { name, securityContext } of containers) {
    const { runAsUser, capabilities: own, seccompProfile, allowPrivilegeEscalation } = securityContext;
    const isBuilder = name === 'build';
    expect(own.drop).toEqual(['ALL']);
    expect(own.add).toEqual(isBuilder ? capabilities : undefined);
    expect(runAsUser).toBe(isBuilder ? uid : 1000);
    expect(seccompProfile.type).toBe(isBuilder ? filter : 'RuntimeDefault');
    expect(allowPrivilegeEscalation).toBe(isBuilder);
    expect(securityContext.readOnlyRootFilesystem).toBe(true);
    expect(securityContext.privileged).toBeUndefined();
  }
});

test('the cluster hands over the Dockerfile as it is', () => {
  const value = jobOf()
    .named('build')
    .env?.find(({ name }) => name === 'DOCKERFILE')?.value;
  expect(value).toBe('FROM localhost/base0\nRUN echo $$HOME $$$$ $$(id)\n');
});

test('no file of a build becomes larger than its disk, which the kernel enforces', () => {
  expect(jobOf({}, { limits: { diskBytes: 1 << 20 } }).named('build').command[2]).toContain(
    'ulimit -f 2048\n',
  );
});

test('a build has a network only where it requires one', () => {
  const script = (hasNetwork: boolean) => jobOf({ hasNetwork }).named('build').command[2];
  expect(script(false)).toContain('unshare -mn sh');
  expect(script(true)).toContain('unshare -m sh');
});

test('a job ends and is removed by the cluster where no executor is left, and its limits are those of the options', () => {
  const { spec, named } = jobOf({}, { limits: { memoryBytes: 1 << 30, cpu: 0.5 } });
  expect(spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 1_860, ttlSecondsAfterFinished: 60 });
  expect(named('build').resources.limits).toEqual({
    cpu: '500m',
    memory: '1073741824',
    'ephemeral-storage': '17179869184',
  });
});

test('root of a builder has a user namespace where pods have them, and a builder without root makes its own', () => {
  const hostUsers = (user: 'root' | 'rootless') => jobOf({}, { user, hasUserNamespaces: true }).pod.hostUsers;
  expect([hostUsers('root'), hostUsers('rootless')]).toEqual([false, undefined]);
});

test('TLS is left out for the registry of the operator alone, where it has none', () => {
  const pulled = [
    { name: 'docker.io/library/debian:12', isInsecure: false },
    { name: 'registry.example/base:1', isInsecure: true },
  ];
  const { named } = jobOf({ pulled }, { isInsecure: true });
  expect(named('bases').command.slice(4)).toEqual([
    ...['docker.io/library/debian:12', 'true', 'registry.example/base:1', 'false'],
  ]);
  expect(named('push').command.slice(4)).toEqual(['registry.example/built:k1', 'false']);
});
