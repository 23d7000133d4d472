import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../repository.js';

/** The root and the defaults of a container. */
export interface Runtime {
  /** Arguments of bubblewrap that set up its root. */
  root: readonly string[];
  workingDirectory: string;
  command: readonly string[];
  environment: Readonly<Record<string, string>>;
}

export interface ContainerOptions {
  runtime: Runtime;
  /** Default: that of the image. */
  command?: readonly string[] | undefined;
  environment: Readonly<Record<string, string>>;
  /** Folders of this machine by their path in the container. */
  mounts: Readonly<Record<string, string>>;
  /** True when the pod has a volume for temporary files. */
  isTmpWritable: boolean;
}

const USER = '65532';
const NODE_FOLDER = path.dirname(process.execPath);
const SYSTEM = ['/usr', '/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'];
const LINKS = ['bin', 'sbin', 'lib', 'lib64'];
const OWN = ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];

/** A service as built in this repository, with the Node.js of the calling process. */
export function builtRuntime(app: string): Runtime {
  return {
    root: [
      ...SYSTEM.filter((file) => existsSync(file)).flatMap((file) => ['--ro-bind', file, file]),
      ...LINKS.flatMap((link) => ['--symlink', `usr/${link}`, `/${link}`]),
      // After /tmp, which may contain the repository.
      ...[...OWN, '--ro-bind', repository, repository, '--ro-bind', NODE_FOLDER, NODE_FOLDER],
    ],
    workingDirectory: path.join(repository, 'apps', app),
    command: [process.execPath, 'dist/main.js'],
    environment: { NODE_ENV: 'production', PATH: `${NODE_FOLDER}:/usr/bin` },
  };
}

/** A service with the files of its image only. */
export function imageRuntime({
  root,
  workingDirectory,
  command,
  environment,
}: Omit<Runtime, 'root'> & { root: string }): Runtime {
  return { root: ['--bind', root, '/', ...OWN], workingDirectory, command, environment };
}

/** Starts a process as a pod does: with a read-only root, a user without rights and no other variables. */
export function startContainer({
  runtime,
  command,
  environment,
  mounts,
  isTmpWritable,
}: ContainerOptions): ChildProcess {
  const variables = Object.entries({ ...runtime.environment, ...environment });
  const args = [
    ...runtime.root,
    ...Object.entries(mounts).flatMap(([target, source]) => ['--bind', source, target]),
    ...['--remount-ro', '/'],
    ...(isTmpWritable ? [] : ['--remount-ro', '/tmp']),
    ...['--unshare-user', '--uid', USER, '--gid', USER, '--die-with-parent', '--clearenv'],
    ...['--chdir', runtime.workingDirectory],
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
    ...(command ?? runtime.command),
  ];
  return spawn('bwrap', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The pid of the process, because bubblewrap forwards no signals. */
export function pidWithin(container: ChildProcess): number {
  const { pid = 0 } = container;
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  if (!child) throw new Error('the container has no process');
  return Number(child);
}
