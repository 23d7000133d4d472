import type { DiskSizes } from '../bubblewrap/arguments.js';
import { HOME, PREPARING_CAPABILITIES, ROOT_CAPABILITIES, ROOT_HOME } from '../bubblewrap/arguments.js';
import { DISK_DEFAULTS } from '../bubblewrap/options.js';
import { INSIDE_DIRECTORY, INSIDE_PATH } from '../remote/remote-sandbox.js';
import { isWithin, overlaps, type ResolvedSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import { LABEL, MANAGER } from './engine-objects.js';
import { mountsOf } from './mounts.js';

export const FILTER_PATH = `${INSIDE_DIRECTORY}/filter`;
const MEMORY_OF_INSIDE_BYTES = 16 << 20;
/** For its kernel in user space. */
const MEMORY_OF_GVISOR_BYTES = 128 << 20;
/** To become the user of commands: on gVisor the streams of the container must be those of another user (`relay.c`). */
const RELAY_CAPABILITIES = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'];
/** The process inside, its spawner, and one that watches each running command. */
const PIDS_OF_INSIDE = 64;
/** Threads of the host, for each process of the sandbox and for its kernel, which dies where it gets none. */
const GVISOR_THREADS = { each: 4, own: 256 };
const USER_OF_IMAGES = 1000;
const CPU_PERIOD_US = 100_000;
const BYTES_PER_INODE = 1_024;
const INODES_MIN = 4_096;
/** Until its owner has seen that it responds: one that died meanwhile may have left no connection that ends. */
const START_LEASE_MS = 30_000;
/** A sandbox without a limit of wall time ends at last. */
const LIFE_MS_MAX = 24 * 60 * 60_000;
/** Directories that an image brings: a disk there would hide them. */
const TAKEN = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/proc', '/dev', '/sys', INSIDE_DIRECTORY];

/** The paths that the engine hides by default, and all of `/sys` but the cgroup, whose figures the process inside reads. */
const MASKED = [
  ...['acpi', 'asound', 'interrupts', 'kcore', 'keys', 'latency_stats', 'sched_debug', 'scsi'].map(
    (name) => `/proc/${name}`,
  ),
  ...['timer_list', 'timer_stats'].map((name) => `/proc/${name}`),
  ...['block', 'bus', 'class', 'dev', 'devices', 'firmware', 'hypervisor', 'kernel', 'module', 'power'].map(
    (name) => `/sys/${name}`,
  ),
];

/** All that decides what a container is. Equal ones are the same to every spec that fits them. */
export interface ContainerPlan {
  /** Its id or reference, as the daemon knows it. */
  image: string;
  /** Of commands. */
  uid: number;
  /** Where the root is that of a pack's image. */
  root?: { runAsRoot: boolean; volumes: readonly string[] } | undefined;
  spec: Pick<ResolvedSpec, 'workspaceRoots' | 'stagedRoots' | 'extraRoots' | 'directories'> & {
    limits: Pick<ResolvedSpec['limits'], 'cpu' | 'memoryBytes' | 'pids' | 'workspaceBytes'>;
  };
  sizes: Partial<DiskSizes>;
  /** The name of the volume that holds the process inside. */
  insideVolume: string;
  runtime?: string | undefined;
  /** That runtime is gVisor. */
  isGvisor: boolean;
  /** The kernel counts the processes of this uid for this sandbox alone. */
  isUidOwn: boolean;
}

export interface ContainerNames {
  owner: string;
  labels?: { runId: string; attemptId: string } | undefined;
  /** By the daemon's clock, in milliseconds. */
  now: number;
}

/** The body of `POST /containers/create`. Throws `unsupported` for roots that it cannot have. */
export function containerConfig(plan: ContainerPlan, names: ContainerNames): object {
  const { root, spec, uid } = plan;
  const disks = disksOf(plan);
  const inMemory = Object.values(disks).reduce((sum, { bytes }) => sum + bytes, 0);
  const shm = plan.sizes.sharedMemoryBytes ?? DISK_DEFAULTS.sharedMemoryBytes;
  const own = MEMORY_OF_INSIDE_BYTES + (plan.isGvisor ? MEMORY_OF_GVISOR_BYTES : 0);
  const memory = Math.floor(spec.limits.memoryBytes + inMemory + shm + own);
  return {
    Image: plan.image,
    Entrypoint: [INSIDE_PATH],
    Cmd: insideArguments(plan),
    User: root === undefined && !plan.isGvisor ? `${uid}:${uid}` : '0:0',
    WorkingDir: '/',
    Hostname: 'sandbox',
    Labels: labelsOf(names),
    // It would run in the sandbox, as the root of the image.
    Healthcheck: { Test: ['NONE'] },
    OpenStdin: true,
    // The process inside ends with the connection of its owner.
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: true,
    HostConfig: {
      NetworkMode: 'none',
      IpcMode: 'private',
      // Frames are no log.
      LogConfig: { Type: 'none' },
      RestartPolicy: { Name: 'no' },
      ReadonlyRootfs: root === undefined,
      MaskedPaths: MASKED,
      CapDrop: ['ALL'],
      CapAdd: capabilitiesOf(plan).map((name) => name.replace(/^CAP_/, '')),
      SecurityOpt: ['no-new-privileges'],
      CpuPeriod: CPU_PERIOD_US,
      CpuQuota: Math.max(1_000, Math.round(spec.limits.cpu * CPU_PERIOD_US)),
      Memory: memory,
      MemorySwap: memory,
      PidsLimit: plan.isGvisor
        ? GVISOR_THREADS.each * Math.floor(spec.limits.pids) + GVISOR_THREADS.own
        : Math.floor(spec.limits.pids) + PIDS_OF_INSIDE,
      Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
      ShmSize: Math.floor(shm),
      Tmpfs: Object.fromEntries(Object.entries(disks).map(([at, disk]) => [at, tmpfsOptions(disk)])),
      Mounts: mountsOf(plan),
      ...(plan.runtime !== undefined && { Runtime: plan.runtime }),
    },
  };
}

/** At the start of the process inside; commands have those of root in an image, or none. */
function capabilitiesOf({ root, isGvisor }: ContainerPlan): readonly string[] {
  if (root === undefined) return isGvisor ? RELAY_CAPABILITIES : [];
  return root.runAsRoot ? ROOT_CAPABILITIES : PREPARING_CAPABILITIES;
}

function insideArguments(plan: ContainerPlan): string[] {
  return plan.isGvisor
    ? ['relay', plan.root === undefined ? String(plan.uid) : '0', ...ownArguments(plan)]
    : ownArguments(plan);
}

function ownArguments(plan: ContainerPlan): string[] {
  const { root, spec } = plan;
  const pids = plan.isUidOwn ? Math.floor(spec.limits.pids) : 0;
  const confined = ['confined', FILTER_PATH, String(pids), String(START_LEASE_MS)];
  if (root === undefined) return confined;
  const [user, home] = root.runAsRoot ? ['0', ROOT_HOME] : [String(USER_OF_IMAGES), HOME];
  return [
    ...['root', user, home, ...spec.workspaceRoots, ...spec.stagedRoots],
    ...[':', ...spec.extraRoots, '--'],
    ...confined,
  ];
}

function labelsOf({ owner, labels, now }: ContainerNames): Record<string, string> {
  return {
    [LABEL.managedBy]: MANAGER,
    [LABEL.owner]: owner,
    [LABEL.expires]: new Date(now + LIFE_MS_MAX).toISOString(),
    ...(labels && { [LABEL.runId]: labels.runId, [LABEL.attemptId]: labels.attemptId }),
  };
}

interface Disk {
  bytes: number;
  uid: number;
  mode: string;
}

/** In memory: only those have a size on every daemon. */
function disksOf({ spec, sizes, root, uid }: ContainerPlan): Record<string, Disk> {
  const { workspaceRoots, extraRoots, limits } = spec;
  if (root !== undefined) {
    const disk = { bytes: limits.workspaceBytes, uid: 0, mode: '755' };
    return Object.fromEntries(root.volumes.map((at) => [at, disk]));
  }
  const refused = workspaceRoots.find((each) => each === '/' || TAKEN.some((taken) => isWithin(each, taken)));
  if (refused !== undefined) {
    throw new SandboxError('unsupported', `${refused} cannot be writable here`, {
      capability: 'writable_root',
    });
  }
  const extra = extraRoots.filter((each) => !overlaps(each, TAKEN));
  const own = (bytes: number) => ({ bytes, uid, mode: '755' });
  return {
    ...Object.fromEntries(extra.map((at) => [at, own(sizes.extraBytes ?? DISK_DEFAULTS.extraBytes)])),
    '/tmp': { bytes: sizes.tmpBytes ?? DISK_DEFAULTS.tmpBytes, uid: 0, mode: '1777' },
    [HOME]: own(sizes.homeBytes ?? DISK_DEFAULTS.homeBytes),
    ...Object.fromEntries(workspaceRoots.map((at) => [at, own(limits.workspaceBytes)])),
  };
}

function tmpfsOptions({ bytes, uid, mode }: Disk): string {
  const inodes = Math.max(INODES_MIN, Math.ceil(bytes / BYTES_PER_INODE));
  return `rw,exec,nosuid,nodev,size=${Math.floor(bytes)},nr_inodes=${inodes},mode=${mode},uid=${uid},gid=${uid}`;
}
