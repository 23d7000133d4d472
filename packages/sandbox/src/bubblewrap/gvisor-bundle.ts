import {
  capabilitiesIn,
  type Disk,
  disksOf,
  insideArguments,
  layerMounts,
  refuseFixedRoots,
  rootArguments,
  rootOptions,
  type SandboxPlan,
  withMountPoints,
  workspaceDisk,
} from './arguments.js';
import type { CgroupLimits } from './cgroup.js';
import { type Runsc, runscFlags } from './runsc.js';

/** The first process and the filter of commands, in the sandbox. */
const OWN_DIRECTORY = '/.agentclash';
const USER = 1000;
/** Users of one sandbox, in a user namespace of its own. */
const IDS = 65_536;
const FILES_MAX = 65_536;
const BUNDLE_BYTES = 4 << 20;
const BUNDLE_INODES = 1_024;
const EMPTY_BYTES = 4_096;
/** Devices open only where their directory could be written. */
const DEVICES_BYTES = 65_536;

/**
 * Runs as root in the mount namespace of one sandbox: joins its cgroups, lays out the bundle on a disk that ends with that
 * namespace, and becomes runsc. What is shown of the host is read-only for gVisor, too.
 */
const SCRIPT = `set -e
cd "$1"; first=$2; inside=$3; filter=$4; config=$5; shift 5
while [ "$1" != -- ]; do echo 0 > "$1"; shift; done; shift
while [ "$1" != -- ]; do mkdir -p "rootfs$1"; shift; done; shift
while [ "$1" != -- ]; do ln -s "$2" "rootfs$1"; shift 2; done; shift
while [ "$1" != -- ]; do mkdir "$1"; chown "$((first + ${USER})):$((first + ${USER}))" "$1"; shift; done; shift
mkdir shown own state; cp "$inside" own/inside; cp "$filter" own/filter; chmod 755 own/inside
while [ "$1" != -- ]; do mkdir "$1"; mount --rbind -o ro,nosuid,nodev "$2" "$1"; shift 2; done; shift
printf %s "$config" > config.json
exec "$@"`;

/** A sandbox with gVisor between it and the kernel of the host. */
export interface GvisorPlan extends SandboxPlan {
  id: string;
  runsc: Runsc;
  /** The first of the ids of its own. */
  uid: number;
  /** Where the launcher mounts the disk of the bundle. */
  bundleDirectory: string;
}

/** Arguments of the launcher. */
export function gvisorArguments(plan: GvisorPlan): string[] {
  const { spec, base, imageRoot, bundleDirectory, diskDirectory, uid, runsc } = plan;
  refuseFixedRoots(plan);
  const mounts = (imageRoot === undefined ? mountsOf(plan) : mountsOfImage(plan)).map((mount, index) =>
    mount.shown === undefined ? mount : { ...mount, source: `${bundleDirectory}/shown/${index}` },
  );
  const made = imageRoot === undefined ? [...mounts.map(({ destination }) => destination)] : [];
  const links = imageRoot === undefined ? base.links : [];
  const roots = imageRoot === undefined ? spec.workspaceRoots : [];
  return [
    ...['--uid', String(uid), '--stay-root'],
    ...layerMounts(plan),
    ...['--disk', bundleDirectory, String(BUNDLE_BYTES), String(BUNDLE_INODES)],
    ...workspaceDisk(plan),
    ...rootOptions(plan),
    ...(imageRoot === undefined ? [] : ['--root-dir', imageRoot.directory, OWN_DIRECTORY]),
    ...['--', '/bin/sh', '-c', SCRIPT, 'gvisor', bundleDirectory, String(uid), plan.insideTool],
    ...[plan.seccompFile, JSON.stringify(configOf(plan, mounts))],
    ...[...plan.cgroupFiles, '--'],
    ...[...made, '--'],
    ...[...links.flatMap(({ name, target }) => [`/${name}`, target]), '--'],
    ...[...roots.map((_, index) => `${diskDirectory}/${index}`), '--'],
    ...[...mounts.flatMap(({ shown, source }) => (shown === undefined ? [] : [source, shown])), '--'],
    ...[runsc.program, ...runscFlags(runsc, `${bundleDirectory}/state`)],
    ...['run', '--bundle', bundleDirectory, plan.id],
  ];
}

interface Mount {
  destination: string;
  type: 'bind' | 'tmpfs' | 'proc';
  source: string;
  options: readonly string[];
  /** A directory of the host that is mounted at `source` first. */
  shown?: string;
}

const CAPABILITY_SETS = ['bounding', 'effective', 'inheritable', 'permitted', 'ambient'];

function configOf(plan: GvisorPlan, mounts: readonly Mount[]): object {
  const { imageRoot, spec } = plan;
  const ids = [{ containerID: 0, hostID: plan.uid, size: IDS }];
  const user = imageRoot === undefined ? USER : 0;
  const capabilities = imageRoot === undefined ? [] : capabilitiesIn(imageRoot);
  const onRoot = imageRoot === undefined ? [] : rootArguments(spec, imageRoot);
  const inside = [`${OWN_DIRECTORY}/inside`, ...onRoot, 'confined', `${OWN_DIRECTORY}/filter`];
  return {
    ociVersion: '1.0.2',
    hostname: 'sandbox',
    root: { path: imageRoot?.directory ?? 'rootfs', readonly: imageRoot === undefined },
    mounts: mounts.map(({ shown: _, ...mount }) => mount),
    process: {
      args: [...inside, ...insideArguments(plan)],
      cwd: '/',
      env: [],
      user: { uid: user, gid: user },
      noNewPrivileges: true,
      capabilities: Object.fromEntries(CAPABILITY_SETS.map((set) => [set, capabilities])),
      rlimits: [{ type: 'RLIMIT_NOFILE', soft: FILES_MAX, hard: FILES_MAX }],
    },
    linux: {
      namespaces: ['pid', 'network', 'ipc', 'uts', 'mount', 'user'].map((type) => ({ type })),
      uidMappings: ids,
      gidMappings: ids,
    },
  };
}

/** Parents before what lies inside them. */
function mountsOf(plan: GvisorPlan): Mount[] {
  const { spec, sizes, bundleDirectory } = plan;
  const base = withMountPoints(spec.directories, plan.base);
  const root = base.root === '/' ? '' : base.root;
  return [
    ...kernelMounts(plan),
    ...base.directories.map((name) => show(`${root}/${name}`, `/${name}`)),
    ...(base.hidden ?? []).map((name) => ({ ...tmpfs(name, EMPTY_BYTES), options: ['ro'] })),
    show(base.etc, '/etc'),
    ...disksOf(plan).map((disk) => mountOf(disk, sizes.extraBytes)),
    ...spec.directories.map(({ source, path }) => show(source, path)),
    show(`${bundleDirectory}/own`, OWN_DIRECTORY),
  ];
}

function mountsOfImage(plan: GvisorPlan): Mount[] {
  return [
    ...kernelMounts(plan),
    ...plan.spec.directories.map(({ source, path }) => show(source, path)),
    show(`${plan.bundleDirectory}/own`, OWN_DIRECTORY),
  ];
}

function kernelMounts({ sizes }: GvisorPlan): Mount[] {
  return [
    { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'nodev', 'noexec'] },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', `size=${DEVICES_BYTES}`] },
    tmpfs('/dev/shm', sizes.sharedMemoryBytes, '1777'),
  ];
}

function mountOf(disk: Disk, extraBytes: number): Mount {
  if (disk.kind === 'workspace') return bind(disk.source, disk.path, 'rw');
  if (disk.kind === 'directory') return tmpfs(disk.path, extraBytes);
  return tmpfs(disk.path, disk.bytes, disk.permissions);
}

function show(shown: string, destination: string): Mount {
  return { ...bind('', destination, 'ro'), shown };
}

function bind(source: string, destination: string, mode: 'ro' | 'rw'): Mount {
  return { destination, type: 'bind', source, options: ['bind', mode, 'nosuid', 'nodev'] };
}

function tmpfs(destination: string, bytes: number, permissions = '0755'): Mount {
  const options = ['nosuid', 'nodev', `mode=${permissions}`, `size=${Math.floor(bytes)}`, `uid=${USER}`];
  return { destination, type: 'tmpfs', source: 'tmpfs', options: [...options, `gid=${USER}`] };
}

/** Of the processes of gVisor beside those of the sandbox, which its kernel limits. */
const OWN_MEMORY_BYTES = 128 << 20;
const OWN_PROCESSES = 256;
/** Threads of the host that one process of a sandbox may need. */
const THREADS_OF_PROCESS = 4;

/** The limits of the cgroup in which all processes of gVisor are. */
export function groupLimits(limits: CgroupLimits): CgroupLimits {
  return {
    ...limits,
    memoryBytes: limits.memoryBytes + OWN_MEMORY_BYTES,
    pids: limits.pids * THREADS_OF_PROCESS + OWN_PROCESSES,
  };
}
