import { HOME, PREPARING_CAPABILITIES, ROOT_CAPABILITIES } from '../bubblewrap/arguments.js';
import { DISK_DEFAULTS, MEMORY_DISK_BYTES_MAX } from '../bubblewrap/options.js';
import { INSIDE_DIRECTORY, INSIDE_PATH } from '../remote/remote-sandbox.js';
import { isWithin, type ResolvedSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import { seccompFilter } from '../seccomp/filter.js';
import type { SandboxImage } from '../spec.js';
import { mountedDirectories } from './directories-claim.js';
import { ANNOTATION, CONTAINER, LABEL, labelValue, MANAGER } from './objects.js';
import type { KubernetesOptions } from './options.js';
import type { PodManifest } from './pod-objects.js';
import { asStreamsUser, hasStreamsContainer, milliCpus, streamsContainer } from './streams.js';

export const FILTER_PATH = `${INSIDE_DIRECTORY}/filter`;
/** Where the init container sees the volumes, to make directories that belong to commands: those of a node are root's. */
const VOLUMES_DIRECTORY = '/volumes';
/** By machine, since the node of a pod is not known when it is made. */
const FILTERS = (['x64', 'arm64'] as const)
  .map((machine) => `${machine}=${seccompFilter(machine).toString('hex')}`)
  .join(',');
/** Of commands, where no range of ids is configured. */
const USER = 1000;
const INSIDE_BYTES = 8 << 20;
const MEMORY_OF_INSIDE_BYTES = 16 << 20;
/** A pod without a limit of wall time ends at last. */
const POD_SECONDS_MAX = 24 * 60 * 60;
/** Places an image brings: a volume there would hide them. */
const TAKEN = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/proc', '/dev', '/sys', INSIDE_DIRECTORY];

/** The image may have no name for such an id. */
const ACCOUNTS = ['passwd', 'group'].map((name) => ({
  name: 'inside',
  mountPath: `/etc/${name}`,
  subPath: name,
  readOnly: true,
}));

export interface PodPlan {
  name: string;
  spec: ResolvedSpec;
  options: KubernetesOptions;
  /** By the cluster's clock, in milliseconds. */
  now: number;
  /** Out of `options.uids`, and no other pod's on its node: the kernel counts processes by it. */
  uid?: number | undefined;
}

interface Volume {
  name: string;
  bytes: number;
  mounts: string[];
}

/** The root of an image's container until the process inside has made the directories and become the user. */
const ROOT = 0;

/** The pod of a sandbox. Throws `unsupported` for roots and directories that it cannot have. */
export function podManifest({ name, spec, options, now, uid = USER }: PodPlan): PodManifest {
  const volumes = volumesOf(spec, options);
  const directories = mountedDirectories(spec.directories, options.directories);
  const nodeSelector = { ...options.nodeSelector, ...directories.nodeSelector };
  const resources = resourcesOf(spec, volumes, options);
  const securityContext = {
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
  const user = spec.image === undefined ? uid : ROOT;
  const isJoined = hasStreamsContainer(options);
  const asOther = { ...securityContext, ...asStreamsUser(uid) };
  const pulled = options.imagePullPolicy === undefined ? {} : { imagePullPolicy: options.imagePullPolicy };
  const inside = { name: 'inside', mountPath: INSIDE_DIRECTORY };
  const directoriesMade = spec.image === undefined ? volumes : [];
  const mounts = directoriesMade.flatMap((volume) =>
    volume.mounts.map((mountPath, index) => ({ name: volume.name, mountPath, subPath: String(index) })),
  );
  const made = mounts.map(inVolumes);
  const volumesMade = directoriesMade.map(({ name }) => ({
    name,
    mountPath: `${VOLUMES_DIRECTORY}/${name}`,
  }));
  const prepare = [options.insidePath, 'prepare', INSIDE_DIRECTORY, FILTERS, String(uid)];
  const init = { image: options.insideImage, ...pulled, securityContext, resources };
  const files = { ...init, name: 'inside' };
  const directoriesOfCommands = {
    ...init,
    name: 'directories',
    command: [options.insidePath, 'directories', ...made],
    volumeMounts: volumesMade,
  };
  // gVisor truncates files of read-only mounts for users who may write them: commands own none of the platform's there.
  const initContainers = isJoined
    ? [
        { ...files, command: prepare, securityContext: asOther, volumeMounts: [inside] },
        ...(made.length > 0 ? [directoriesOfCommands] : []),
      ]
    : [{ ...files, command: [...prepare, ...made], volumeMounts: [inside, ...volumesMade] }];
  return {
    metadata: metadataOf({ name, spec, options, now }),
    spec: {
      ...(options.runtimeClassName === undefined ? {} : { runtimeClassName: options.runtimeClassName }),
      ...(options.hasUserNamespaces ? { hostUsers: false } : {}),
      ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
      ...(options.tolerations === undefined ? {} : { tolerations: options.tolerations }),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      activeDeadlineSeconds: Math.ceil(
        Math.min((spec.limits.wallMs ?? Number.POSITIVE_INFINITY) / 1000 + 60, POD_SECONDS_MAX),
      ),
      hostname: 'sandbox',
      setHostnameAsFQDN: false,
      // No names either: what a proxied sandbox requests, its proxy looks up.
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['127.0.0.1'] },
      securityContext: {
        runAsNonRoot: user !== ROOT,
        runAsUser: user,
        runAsGroup: user,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      initContainers,
      containers: [
        {
          name: CONTAINER,
          image: imageOf(spec, options),
          ...pulled,
          command: [INSIDE_PATH, isJoined ? 'await' : 'hold'],
          workingDir: '/',
          securityContext:
            spec.image === undefined ? securityContext : { ...securityContext, ...rootOf(spec.image) },
          resources,
          volumeMounts: [
            { ...inside, readOnly: true },
            ...mounts,
            ...(spec.image === undefined ? [] : volumes.map(asMount)),
            ...directories.mounts,
            ...(user === uid && uid !== USER ? ACCOUNTS : []),
          ],
        },
        ...(isJoined ? [streamsContainer(options, { ...pulled, securityContext: asOther })] : []),
      ],
      volumes: [
        { name: 'inside', emptyDir: { sizeLimit: String(INSIDE_BYTES) } },
        ...volumes.map((volume) => ({
          name: volume.name,
          emptyDir: {
            sizeLimit: String(Math.floor(volume.bytes)),
            ...(isInMemory(volume) ? { medium: 'Memory' } : {}),
          },
        })),
        ...directories.volumes,
      ],
    },
  };
}

function imageOf({ image, template }: ResolvedSpec, options: KubernetesOptions): string {
  if (image !== undefined) return image.reference;
  return template === undefined ? options.image : (options.templates?.[template] ?? options.image);
}

/** No more than what the security standard `baseline` grants. */
function rootOf({ runAsRoot }: Required<SandboxImage>): object {
  const needed = runAsRoot ? ROOT_CAPABILITIES : PREPARING_CAPABILITIES;
  const add = needed.map((name) => name.replace(/^CAP_/, ''));
  return { readOnlyRootFilesystem: false, capabilities: { drop: ['ALL'], add } };
}

/** As a node makes it: for all users. */
function asMount({ name, mounts: [mountPath = ''] }: Volume): object {
  return { name, mountPath };
}

function inVolumes({ name, subPath }: { name: string; subPath: string }): string {
  return `${VOLUMES_DIRECTORY}/${name}/${subPath}`;
}

function metadataOf({ name, spec, options, now }: PodPlan): PodManifest['metadata'] {
  const { labels, leaseMs } = spec;
  return {
    name,
    labels: { [LABEL.managedBy]: MANAGER, [LABEL.role]: 'sandbox', [LABEL.owner]: labelValue(options.owner) },
    annotations: {
      [ANNOTATION.leaseUntil]: new Date(now + leaseMs).toISOString(),
      [ANNOTATION.runId]: labels.runId,
      [ANNOTATION.attemptId]: labels.attemptId,
    },
  };
}

/** A disk in memory is full when it is full; one on the node's disk is watched, and its pod evicted. */
function isInMemory({ bytes }: Volume): boolean {
  return bytes <= MEMORY_DISK_BYTES_MAX;
}

function resourcesOf(
  spec: ResolvedSpec,
  volumes: readonly Volume[],
  { cpuRequestShare = 1 }: KubernetesOptions,
): object {
  const inMemory = volumes.filter(isInMemory).reduce((sum, { bytes }) => sum + bytes, 0);
  // The root of an image has no size of its own: the node watches what is written to it.
  const onRoot = spec.image === undefined ? 0 : spec.limits.workspaceBytes;
  const onDisk = volumes
    .filter((volume) => !isInMemory(volume))
    .reduce((sum, { bytes }) => sum + bytes, INSIDE_BYTES + onRoot);
  const limits = {
    cpu: milliCpus(spec.limits.cpu),
    memory: String(Math.floor(spec.limits.memoryBytes + inMemory + MEMORY_OF_INSIDE_BYTES)),
    'ephemeral-storage': String(Math.floor(onDisk + (64 << 20))),
  };
  return {
    limits,
    requests: {
      ...limits,
      cpu: milliCpus(spec.limits.cpu * cpuRequestShare),
      memory: String(Math.floor(spec.limits.memoryBytes)),
    },
  };
}

function volumesOf(
  { limits, workspaceRoots, extraRoots, image }: ResolvedSpec,
  options: KubernetesOptions,
): Volume[] {
  const shm = {
    name: 'shm',
    bytes: options.sharedMemoryBytes ?? DISK_DEFAULTS.sharedMemoryBytes,
    mounts: ['/dev/shm'],
  };
  // All else is a directory of its root.
  if (image !== undefined) return [shm];
  const refused = workspaceRoots.find((root) => root === '/' || TAKEN.some((taken) => isWithin(root, taken)));
  if (refused !== undefined) {
    throw new SandboxError('unsupported', `${refused} cannot be writable here`, {
      capability: 'writable_root',
    });
  }
  const extra = extraRoots.filter((root) => !TAKEN.some((taken) => isWithin(root, taken)));
  return [
    { name: 'workspace', bytes: limits.workspaceBytes, mounts: [...workspaceRoots] },
    { name: 'tmp', bytes: options.tmpBytes ?? DISK_DEFAULTS.tmpBytes, mounts: ['/tmp'] },
    { name: 'home', bytes: options.homeBytes ?? DISK_DEFAULTS.homeBytes, mounts: [HOME] },
    shm,
    ...extra
      .filter((root) => root !== '/tmp' && root !== HOME)
      .map((root, index) => ({
        name: `extra-${index}`,
        bytes: options.extraBytes ?? DISK_DEFAULTS.extraBytes,
        mounts: [root],
      })),
  ];
}
