import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { type BuildNetwork, FORWARD, proxyArguments } from './build-network.js';
import type { Host } from './host.js';
import { rootPoint } from './image-roots.js';

/** The tag of base images in their layouts. */
export const LAYOUT_NAME = 'base';

export interface BuildPlan {
  buildah: string;
  /** The first of the ids of the build, that of its root. */
  uid: number;
  /** The directory with `context`, `bases`, `etc` and `Dockerfile`. */
  work: string;
  script: string;
  /** An ext4 image. */
  disk: string;
  cgroupFiles: readonly string[];
  network: BuildNetwork | undefined;
}

/**
 * Arguments of the launcher: buildah is root of a user namespace, in which it may mount. Steps of the Dockerfile are
 * confined further, by buildah: to the root of the image, with fewer capabilities and a filter of system calls.
 */
export function buildArguments({ bwrap, stateDir, diskDirectory }: Host, plan: BuildPlan): string[] {
  const { uid, work, script, disk, cgroupFiles, network } = plan;
  // Its root is not used; with it the launcher makes a user namespace.
  const root = rootPoint(stateDir);
  return [
    ...cgroupFiles.flatMap((file) => ['--open', file]),
    ...['--uid', String(uid), '--image', disk, diskDirectory],
    ...['--root', diskDirectory, root, root, ';', '--dir', `${diskDirectory}/build`],
    ...['--', '/bin/sh', '-c', JOIN, 'sh', '@OPEN', '--', bwrap],
    ...['--userns', '@USERNS', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'host' ? [] : ['--unshare-net']),
    ...[
      '--hostname',
      'build',
      '--die-with-parent',
      '--new-session',
      '--as-pid-1',
      '--cap-drop',
      'ALL',
      '--cap-add',
      'ALL',
    ],
    ...['--clearenv', ...Object.entries(ENVIRONMENT).flatMap((variable) => ['--setenv', ...variable])],
    ...['--ro-bind', '/usr', '/usr', ...systemLinks()],
    ...['--ro-bind', path.join(work, 'etc'), '/etc', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/sys'],
    ...['--tmpfs', '/tmp', '--dir', '/var/tmp', '--dir', '/run'],
    ...['--bind', `${diskDirectory}/build`, '/store'],
    ...[
      '--ro-bind',
      path.join(work, 'context'),
      '/context',
      '--ro-bind',
      path.join(work, 'Dockerfile'),
      '/Dockerfile',
    ],
    ...(existsSync(path.join(work, 'bases')) ? ['--ro-bind', path.join(work, 'bases'), '/bases'] : []),
    ...(typeof network === 'object' ? proxyArguments(work) : []),
    ...['--chdir', '/', '--', '/bin/sh', '-c', script],
  ];
}

/** Joins the cgroups, whose files are open, and closes them. */
const JOIN =
  'while [ "$1" != -- ]; do echo 0 >&"$1" || exit 1; eval "exec $1>&-"; shift; done; shift; exec "$@"';

const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/store',
  TMPDIR: '/store/tmp',
  LC_ALL: 'C.UTF-8',
  // It is root already where it may mount.
  _CONTAINERS_USERNS_CONFIGURED: 'done',
};

function systemLinks(): string[] {
  return ['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => {
    if (!existsSync(`/${name}`)) return [];
    const isLink = lstatSync(`/${name}`).isSymbolicLink();
    return isLink
      ? ['--symlink', readlinkSync(`/${name}`), `/${name}`]
      : ['--ro-bind', `/${name}`, `/${name}`];
  });
}

/** Without the capability to leave the root that they are confined to, and without that to open raw sockets. */
const DROPPED = ['CAP_SYS_CHROOT', 'CAP_NET_RAW', 'CAP_MKNOD', 'CAP_AUDIT_WRITE', 'CAP_NET_BIND_SERVICE'];

/** Writes the image as an archive to its output, all else to its errors. */
export function buildScript({
  bases,
  name,
  isProxied,
}: {
  /** The base images as the Dockerfile names them, in the order of `/bases`. */
  bases: readonly string[];
  name: string;
  isProxied: boolean;
}): string {
  return [
    'set -e; mkdir -p /store/tmp',
    ...(isProxied ? [FORWARD] : []),
    ...buildSteps({
      bases,
      driver: 'overlay',
      dockerfile: '/Dockerfile',
      archive: `/store/built.tar:${name}`,
    }),
    'cat /store/built.tar',
  ].join('\n');
}

/** Builds `dockerfile` in `/context` on the layouts of `/bases`, with `/store` as storage, into an archive of OCI. */
export function buildSteps({
  bases,
  driver,
  dockerfile,
  archive,
}: {
  bases: readonly string[];
  driver: 'overlay' | 'vfs';
  dockerfile: string;
  archive: string;
}): string[] {
  const run = `buildah --storage-driver ${driver} --root /store/root --runroot /store/run`;
  const build = [
    `${run} build --isolation chroot --pull=never --network host --layers=false --format oci`,
    ...DROPPED.map((capability) => `--cap-drop ${capability}`),
    ...bases.map(
      (base, index) => `--build-context ${quoted(`${base}=container-image://localhost/base${index}`)}`,
    ),
    `--tag localhost/built --file ${dockerfile} /context </dev/null >&2`,
  ];
  return [
    ...bases.map(
      (_, index) =>
        `${run} pull --quiet oci:/bases/${index}:${LAYOUT_NAME} >/store/id; ${run} tag "$(tail -n 1 /store/id)" localhost/base${index}`,
    ),
    build.join(' '),
    `${run} push --quiet localhost/built oci-archive:${quoted(archive)} >&2`,
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
