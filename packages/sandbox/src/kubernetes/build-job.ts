import { buildSteps, LAYOUT_NAME } from '../bubblewrap/build-arguments.js';
import { BUILD_DEFAULTS } from './build-defaults.js';
import { LABEL, MANAGER } from './objects.js';

/** The ConfigMap with the digests of what was built. */
export const RECORDS = 'agentclash-builds';
/** Until a pod runs, with its context and its base images. */
export const START_MS = 15 * 60_000;
export const PUSH_MS = 15 * 60_000;
/** A job whose executor is gone is removed so long after its end. */
const REMAINS_SECONDS = 60;
const CONTEXT_SECONDS = 300;
const USER = 1000;
/** Of `ulimit`, by POSIX. */
const FILE_BLOCK_BYTES = 512;
/** Other than a failure of the build. */
export const NO_NAMESPACES = 3;

export interface BuilderOptions {
  /** Where jobs run; nothing of sandboxes does. */
  namespace: string;
  /** Has `/bin/sh`, `tar`, `buildah`, `skopeo` and, but for `root`, the programs and ids of a user namespace. */
  image: string;
  /** Where images are pushed: a registry and a repository. */
  repository: string;
  /** The same repository as nodes name it. Default: `repository`. */
  pullRepository?: string | undefined;
  /** The registry of `repository` has no TLS. */
  isInsecure?: boolean | undefined;
  /** A secret of the type `kubernetes.io/dockerconfigjson` in that namespace, for pushes and base images. */
  secret?: string | undefined;
  /** Of the pods; its token is never mounted. Default: `default`. */
  serviceAccount?: string | undefined;
  /** `rootless`: a user with a user namespace of its own. `root`: root of the container with CAP_SYS_ADMIN. */
  user?: 'rootless' | 'root' | undefined;
  limits?: Partial<typeof BUILD_DEFAULTS> | undefined;
  /**
   * Builds that require it get the network of the pod. `bounded`: only where network policies, which bound it, are known to
   * be enforced.
   */
  network?: 'none' | 'bounded' | 'any' | undefined;
  /** As those of sandboxes. */
  runtimeClassName?: string | undefined;
  hasUserNamespaces?: boolean | undefined;
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
}

export interface BuildPlan {
  /** Of the job. */
  name: string;
  /** Names the image in the registry. */
  key: string;
  dockerfile: string;
  /** As the Dockerfile names them. */
  bases: readonly string[];
  /** The same as skopeo pulls them. */
  pulled: readonly { name: string; isInsecure: boolean }[];
  contextBytes: number;
  timeoutMs: number;
  hasNetwork: boolean;
}

/**
 * One container after the other: it takes the context from its input, pulls the base images, builds, and pushes. Only the first
 * three precede anything of the author's that runs, and only the second and the last have the secret.
 */
export function buildJob(plan: BuildPlan, options: BuilderOptions): object {
  const { name } = plan;
  const labels = { [LABEL.managedBy]: MANAGER, [LABEL.role]: 'builder' };
  const { serviceAccount, runtimeClassName } = options;
  // That of a pod has too few ids for another within it.
  const hasUserNamespace = options.hasUserNamespaces === true && options.user === 'root';
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: Math.ceil((START_MS + plan.timeoutMs + PUSH_MS) / 1000),
      ttlSecondsAfterFinished: REMAINS_SECONDS,
      template: {
        metadata: { labels },
        spec: {
          ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
          ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
          ...(hasUserNamespace ? { hostUsers: false } : {}),
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 0,
          initContainers: [contextOf(plan, options), basesOf(plan, options), builderOf(plan, options)],
          containers: [pushOf(plan, options)],
          volumes: [
            ...['input', 'bases', 'store', 'archive', 'work', 'run'].map((volume) => ({
              name: volume,
              emptyDir: { sizeLimit: String(limitsOf(options).diskBytes) },
            })),
            ...secretVolume(options),
          ],
        },
      },
    },
  };
}

function contextOf({ contextBytes }: BuildPlan, options: BuilderOptions): object {
  const script = `mkdir /input/context && timeout ${CONTEXT_SECONDS} head -c ${contextBytes} | tar -x -f - -C /input/context`;
  return {
    ...container('context', script, options),
    stdin: true,
    stdinOnce: true,
    volumeMounts: [{ name: 'input', mountPath: '/input' }],
  };
}

function basesOf({ pulled }: BuildPlan, options: BuilderOptions): object {
  const script = `i=0
while [ $# -gt 0 ]; do
  echo "pulling $1"
  skopeo copy --quiet --src-tls-verify="$2" "docker://$1" "oci:/bases/$i:${LAYOUT_NAME}" || exit 1
  i=$((i+1)); shift 2
done`;
  const names = pulled.flatMap(({ name, isInsecure }) => [name, String(!isInsecure)]);
  return {
    ...container('bases', script, options, names),
    ...withSecret(options, [{ name: 'bases', mountPath: '/bases' }, WORK]),
  };
}

function builderOf(plan: BuildPlan, options: BuilderOptions): object {
  const namespaces = plan.hasNetwork ? '-m' : '-mn';
  const steps = buildSteps({
    bases: plan.bases,
    driver: 'vfs',
    dockerfile: '/store/Dockerfile',
    archive: '/archive/image.tar',
  });
  // The exit code of a step is that of buildah, and may be any. A node notices a full disk late; the kernel, a large file at once.
  const script = `mkdir -p /store/tmp && printf %s "$DOCKERFILE" >/store/Dockerfile || exit 1
enter=; [ "$(id -u)" = 0 ] || enter='buildah unshare'
$enter unshare ${namespaces} true || exit ${NO_NAMESPACES}
ulimit -f ${Math.ceil(limitsOf(options).diskBytes / FILE_BLOCK_BYTES)}
$enter unshare ${namespaces} sh -ec "$STEPS" || exit 1`;
  // Steps whose image has no home would fail where buildah takes itself for rootless: it has all ids.
  const all = ['unset _CONTAINERS_ROOTLESS_UID _CONTAINERS_ROOTLESS_GID', ...steps].join('\n');
  const env = { HOME: '/store', TMPDIR: '/store/tmp', STEPS: all, DOCKERFILE: plan.dockerfile };
  return {
    ...container('build', script, options),
    ...resourcesOf(options),
    securityContext: options.user === 'root' ? ROOT : ROOTLESS,
    env: Object.entries(env).map(([name, value]) => ({ name, value: unexpanded(value) })),
    volumeMounts: [
      { name: 'input', mountPath: '/context', subPath: 'context', readOnly: true },
      { name: 'bases', mountPath: '/bases', readOnly: true },
      { name: 'store', mountPath: '/store' },
      { name: 'archive', mountPath: '/archive' },
      { name: 'run', mountPath: '/run' },
    ],
  };
}

function pushOf({ key }: BuildPlan, options: BuilderOptions): object {
  const script = `skopeo copy --quiet --dest-tls-verify="$2" --digestfile /var/tmp/digest oci-archive:/archive/image.tar "docker://$1" &&
cat /var/tmp/digest >/dev/termination-log`;
  const name = `${options.repository}:${key}`;
  return {
    ...container('push', script, options, [name, String(!options.isInsecure)]),
    ...resourcesOf(options),
    ...withSecret(options, [{ name: 'archive', mountPath: '/archive', readOnly: true }, WORK]),
  };
}

const WORK = { name: 'work', mountPath: '/var/tmp' };
const SMALL = { cpu: '500m', memory: '512Mi', 'ephemeral-storage': '1Gi' };

/** Without any right. */
function container(name: string, script: string, options: BuilderOptions, args: string[] = []): object {
  const { image, imagePullPolicy } = options;
  return {
    name,
    image,
    ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
    command: ['/bin/sh', '-c', unexpanded(script), 'sh', ...args],
    workingDir: '/',
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    resources: { limits: SMALL, requests: SMALL },
  };
}

/** May make a user namespace, which filters of system calls forbid, and map ids into it. */
const ROOTLESS = {
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: true,
  capabilities: { drop: ['ALL'], add: ['SETUID', 'SETGID'] },
  seccompProfile: { type: 'Unconfined' },
  appArmorProfile: { type: 'Unconfined' },
};

/** May mount in the namespaces of its container. */
const ROOT = {
  runAsUser: 0,
  runAsGroup: 0,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: true,
  capabilities: {
    drop: ['ALL'],
    add: [
      ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID'],
      ...['SYS_ADMIN', 'SYS_CHROOT'],
    ],
  },
  seccompProfile: { type: 'RuntimeDefault' },
  appArmorProfile: { type: 'Unconfined' },
};

export function limitsOf({ limits }: BuilderOptions): typeof BUILD_DEFAULTS {
  return { ...BUILD_DEFAULTS, ...limits };
}

function resourcesOf(options: BuilderOptions): object {
  const { cpu, memoryBytes, diskBytes } = limitsOf(options);
  const all = { memory: String(memoryBytes), 'ephemeral-storage': String(diskBytes) };
  const limits = { ...all, cpu: `${Math.round(cpu * 1000)}m` };
  return { resources: { limits, requests: limits } };
}

function secretVolume({ secret }: BuilderOptions): object[] {
  if (secret === undefined) return [];
  const items = [{ key: '.dockerconfigjson', path: 'config.json' }];
  return [{ name: 'auth', secret: { secretName: secret, items } }];
}

function withSecret({ secret }: BuilderOptions, mounts: object[]): object {
  const env = [
    { name: 'TMPDIR', value: '/var/tmp' },
    { name: 'HOME', value: '/var/tmp' },
  ];
  if (secret === undefined) return { env, volumeMounts: mounts };
  return {
    env: [...env, { name: 'REGISTRY_AUTH_FILE', value: '/auth/config.json' }],
    volumeMounts: [...mounts, { name: 'auth', mountPath: '/auth', readOnly: true }],
  };
}

/** The cluster replaces `$(NAME)` in values, and takes `$$` for one dollar. */
function unexpanded(value: string): string {
  return value.replaceAll('$', '$$$$');
}
