import { readdirSync } from 'node:fs';
import { firstInsideLeaseMs } from '../inside/lifetime.js';
import { isWithin, overlaps, type ResolvedSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import type { BaseImage } from './base-image.js';

export const HOME = '/home/agent';
export const ROOT_HOME = '/root';
const INSIDE_PATH = '/.agentclash/inside';
const SANDBOX_ID = '1000';
/** Pseudo-terminals of one sandbox, of some 3,000 that a host has for all. */
const TERMINALS_MAX = 64;
/** 262,144 files for the usual 256 MiB. */
const BYTES_PER_INODE = 1_024;
const INODES_MIN = 4_096;

/** Sizes of the in-memory disks beside the workspace. */
export interface DiskSizes {
  tmpBytes: number;
  homeBytes: number;
  sharedMemoryBytes: number;
  /** Each directory for staged or only readable files. */
  extraBytes: number;
}

/** The root of an image. */
export interface ImageRoot {
  /** Directories of the host, the highest first. */
  layers: readonly string[];
  /** Where the launcher mounts it. */
  directory: string;
  runAsRoot: boolean;
}

export interface SandboxPlan {
  spec: ResolvedSpec;
  base: BaseImage;
  /** In place of the base's directories. */
  imageRoot?: ImageRoot;
  sizes: DiskSizes;
  bwrap: string;
  insideTool: string;
  /** Where the launcher mounts the disk of the workspace, which its roots share. */
  diskDirectory: string;
  /** Where the launcher mounts pseudo-terminals of the sandbox's own; undefined where it may not. */
  terminalDirectory?: string;
  /** Set for an ext4 image instead of a tmpfs. */
  image?: string;
  seccompFile: string;
  /** Host uid; undefined keeps the caller's. */
  uid?: number;
  cgroupFiles: readonly string[];
  /** True when the kernel counts the processes of this sandbox apart from others of the same uid. */
  isPidLimitOwn: boolean;
}

/** The environment every command starts from. */
export const BASE_ENV: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME,
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/sh',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
};

/** Directories that come from the image or the kernel: a root inside one exists already and cannot be written. */
const FIXED = ['/etc', '/proc', '/dev', '/sys', '/.agentclash'];

/** Arguments of the launcher. */
export function launcherArguments(plan: SandboxPlan): string[] {
  refuseFixedRoots(plan);
  return [
    ...plan.cgroupFiles.flatMap((file) => ['--open', file]),
    ...['--seccomp', plan.seccompFile],
    ...(plan.uid === undefined ? [] : ['--uid', String(plan.uid)]),
    ...layerMounts(plan),
    ...workspaceDisk(plan),
    ...workspaceDirectories(plan),
    ...rootOptions(plan),
    ...(plan.terminalDirectory === undefined
      ? []
      : ['--terminals', plan.terminalDirectory, String(TERMINALS_MAX)]),
    ...['--', plan.bwrap, ...bubblewrapArguments(plan)],
  ];
}

/** Packages over the directories of the base. */
export function layerMounts({ base }: SandboxPlan): string[] {
  return (base.overlays ?? []).flatMap(({ upper, lower, at }) => ['--overlay', upper, lower, at]);
}

/** Vanishes with the mount namespace of the launcher. */
export function workspaceDisk({ diskDirectory, spec, image }: SandboxPlan): string[] {
  const { workspaceBytes } = spec.limits;
  if (image !== undefined) return ['--image', image, diskDirectory];
  return ['--disk', diskDirectory, String(Math.floor(workspaceBytes)), String(inodesOf(workspaceBytes))];
}

function workspaceDirectories({ diskDirectory, spec, imageRoot }: SandboxPlan): string[] {
  if (imageRoot !== undefined) return [];
  return spec.workspaceRoots.flatMap((_, index) => ['--dir', `${diskDirectory}/${index}`]);
}

/** The root of an image and the directories in it on which the host mounts something. */
export function rootOptions({ diskDirectory, imageRoot, spec }: SandboxPlan): string[] {
  if (imageRoot === undefined) return [];
  const { directory, layers } = imageRoot;
  const mountPoints = spec.directories.flatMap(({ path }) => ['--root-dir', directory, path]);
  return ['--root', diskDirectory, directory, ...layers, ';', ...mountPoints];
}

/** The namespaces that every bwrap of ours unshares. */
const NAMESPACES: readonly string[] = [
  ...['--hostname', 'sandbox', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
];

/** A user namespace with one user. */
const ONE_USER: readonly string[] = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--uid', SANDBOX_ID, '--gid', SANDBOX_ID],
];

/** The user namespace of the launcher, which allows none below it. */
const USERS_OF_IMAGE: readonly string[] = [
  ...['--userns', '@USERNS', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],
  '--unshare-cgroup-try',
];

/** Of root in an image: what package managers need. */
export const ROOT_CAPABILITIES = [
  ...['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID'],
  ...['CAP_SETUID', 'CAP_SETGID', 'CAP_KILL', 'CAP_SYS_CHROOT'],
];
export const PREPARING_CAPABILITIES = [
  ...['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'],
];

/** The system directories of every sandbox, read-only. */
function systemMounts(base: BaseImage, sharedMemoryBytes: number, terminalDirectory?: string): string[] {
  return [
    ...base.directories.flatMap((name) => [
      '--ro-bind',
      `${base.root === '/' ? '' : base.root}/${name}`,
      `/${name}`,
    ]),
    ...(base.hidden ?? []).flatMap((directory) => ['--tmpfs', directory, '--remount-ro', directory]),
    ...base.links.flatMap(({ name, target }) => ['--symlink', target, `/${name}`]),
    ...['--ro-bind', base.etc, '/etc'],
    ...kernelMounts(sharedMemoryBytes, terminalDirectory),
  ];
}

function kernelMounts(sharedMemoryBytes: number, terminalDirectory?: string): string[] {
  return [
    ...['--proc', '/proc', '--dev', '/dev'],
    ...(terminalDirectory === undefined ? [] : ['--dev-bind', terminalDirectory, '/dev/pts']),
    ...tmpfs('/dev/shm', sharedMemoryBytes, '1777'),
    ...['--remount-ro', '/dev'],
  ];
}

/** Files and directories that a disk in memory may hold: what each takes of the kernel is no part of its size. */
export function inodesOf(bytes: number): number {
  return Math.max(INODES_MIN, Math.floor(bytes / BYTES_PER_INODE));
}

function bubblewrapArguments(plan: SandboxPlan): string[] {
  const { spec, base, sizes } = plan;
  if (plan.imageRoot !== undefined) return imageArguments(plan, plan.imageRoot);
  return [
    ...ONE_USER,
    ...NAMESPACES,
    ...['--as-pid-1', '--seccomp', '@SECCOMP', '--clearenv'],
    ...systemMounts(withMountPoints(spec.directories, base), sizes.sharedMemoryBytes, plan.terminalDirectory),
    ...disksOf(plan).flatMap(diskArguments),
    ...spec.directories.flatMap(({ source, path }) => ['--ro-bind', source, path]),
    ...['--ro-bind', plan.insideTool, INSIDE_PATH, '--remount-ro', '/', '--chdir', '/'],
    ...['--', INSIDE_PATH, ...insideArguments(plan), '@OPEN'],
  ];
}

/** The limits that the process inside starts with. */
export function insideArguments({
  spec,
  isPidLimitOwn,
}: Pick<SandboxPlan, 'spec' | 'isPidLimitOwn'>): string[] {
  return [String(isPidLimitOwn ? Math.floor(spec.limits.pids) : 0), String(firstInsideLeaseMs(spec))];
}

function imageArguments(plan: SandboxPlan, image: ImageRoot): string[] {
  const { spec, sizes, terminalDirectory } = plan;
  return [
    ...USERS_OF_IMAGE,
    ...NAMESPACES,
    ...capabilitiesIn(image).flatMap((name) => ['--cap-add', name]),
    ...['--as-pid-1', '--seccomp', '@SECCOMP', '--clearenv'],
    ...['--bind', image.directory, '/'],
    ...kernelMounts(sizes.sharedMemoryBytes, terminalDirectory),
    ...spec.directories.flatMap(({ source, path }) => ['--ro-bind', source, path]),
    ...['--ro-bind', plan.insideTool, INSIDE_PATH, '--chdir', '/'],
    ...['--', INSIDE_PATH, ...rootArguments(spec, image), ...insideArguments(plan), '@OPEN'],
  ];
}

/** Of the process inside until it has become the user of the sandbox. */
export function capabilitiesIn({ runAsRoot }: Pick<ImageRoot, 'runAsRoot'>): readonly string[] {
  return runAsRoot ? ROOT_CAPABILITIES : PREPARING_CAPABILITIES;
}

/** The process inside makes the directories, as links of the image must not lead it out of the root. */
export function rootArguments(
  spec: ResolvedSpec,
  { runAsRoot }: Pick<ImageRoot, 'runAsRoot'>,
): readonly string[] {
  const [user, home] = runAsRoot ? ['0', ROOT_HOME] : [SANDBOX_ID, HOME];
  return ['root', user, home, ...spec.workspaceRoots, ...spec.stagedRoots, ':', ...spec.extraRoots, '--'];
}

/**
 * The image without those of its directories in which one of the host's is to be shown: nothing can be mounted inside of
 * a directory that is read-only, so what they hold is mounted piece by piece.
 */
export function withMountPoints(directories: SandboxPlan['spec']['directories'], base: BaseImage): BaseImage {
  const parted = base.directories.filter((name) =>
    directories.some(({ path }) => isWithin(path, `/${name}`)),
  );
  const pieces = parted.flatMap((name) =>
    readdirSync(`${base.root}/${name}`).map((piece) => `${name}/${piece}`),
  );
  return { ...base, directories: [...base.directories.filter((name) => !parted.includes(name)), ...pieces] };
}

/** A writable place: of the disk of the workspace, a disk in memory of its own, or a directory of the one that holds it. */
export type Disk = { path: string } & (
  | { kind: 'workspace'; source: string }
  | { kind: 'memory'; bytes: number; permissions?: string }
  | { kind: 'directory' }
);

/** Parents before what lies inside them. */
export function disksOf({ spec, base, sizes, diskDirectory }: SandboxPlan): Disk[] {
  const disks = new Map<string, Disk>([
    ['/tmp', { path: '/tmp', kind: 'memory', bytes: sizes.tmpBytes, permissions: '1777' }],
    [HOME, { path: HOME, kind: 'memory', bytes: sizes.homeBytes }],
  ]);
  for (const path of newRoots(spec.extraRoots, base)) {
    const isCovered = isWithin(path, '/tmp') || isWithin(path, HOME);
    disks.set(
      path,
      isCovered ? { path, kind: 'directory' } : { path, kind: 'memory', bytes: sizes.extraBytes },
    );
  }
  spec.workspaceRoots.forEach((path, index) => {
    disks.set(path, { path, kind: 'workspace', source: `${diskDirectory}/${index}` });
  });
  return [...disks.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function diskArguments(disk: Disk): string[] {
  if (disk.kind === 'workspace') return ['--bind', disk.source, disk.path];
  if (disk.kind === 'directory') return ['--dir', disk.path];
  return tmpfs(disk.path, disk.bytes, disk.permissions);
}

/** Extra roots that must be made; the rest exists anyway. */
function newRoots(roots: readonly string[], base: BaseImage): string[] {
  const fixed = fixedDirectories(base);
  return roots.filter((root) => !overlaps(root, fixed) && root !== '/tmp' && root !== HOME);
}

function fixedDirectories(base: BaseImage): string[] {
  const names = [...base.directories, ...base.links.map((link) => link.name)];
  return [...FIXED, ...names.map((name) => `/${name}`)];
}

/** All that the kernel may charge to the sandbox's memory as files. */
export function diskBytes({ spec, base, sizes, image, imageRoot }: SandboxPlan): number {
  if (imageRoot !== undefined) {
    return sizes.sharedMemoryBytes + (image === undefined ? spec.limits.workspaceBytes : 0);
  }
  const extra = newRoots(spec.extraRoots, base).length * sizes.extraBytes;
  const workspace = image === undefined ? spec.limits.workspaceBytes : 0;
  return workspace + sizes.tmpBytes + sizes.homeBytes + sizes.sharedMemoryBytes + extra;
}

/** Throws `unsupported`: what comes from the host or the kernel cannot be written. The root of an image can. */
export function refuseFixedRoots({ spec, base, imageRoot }: SandboxPlan): void {
  if (imageRoot !== undefined) return;
  const fixed = fixedDirectories(base);
  const refused = spec.workspaceRoots.find((root) => root === '/' || overlaps(root, fixed));
  if (refused !== undefined) {
    throw new SandboxError('unsupported', `${refused} cannot be writable here`, {
      capability: 'writable_root',
    });
  }
}

function tmpfs(path: string, bytes: number, permissions = '0755'): string[] {
  return ['--perms', permissions, '--size', String(Math.floor(bytes)), '--tmpfs', path];
}
