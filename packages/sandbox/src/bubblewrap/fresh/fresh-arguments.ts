import path from 'node:path';
import { REQUEST_FLAG, type TaskRequest } from '../../inside/task-request.js';
import type { ResolvedSpec } from '../../resolved-spec.js';
import { SandboxError } from '../../sandbox-error.js';
import { HOME, NAMESPACES, newRoots, refuseFixedRoots, systemMounts } from '../arguments.js';
import type { BaseImage } from '../base-image.js';

export interface FreshPlan {
  spec: ResolvedSpec;
  base: BaseImage;
  bwrap: string;
  seccompFile: string;
  sharedMemoryBytes: number;
  /** Holds a directory for each writable place. */
  directory: string;
  /** Host uid; undefined keeps the caller's. */
  uid?: number;
}

const INSIDE = '/.agentclash';
const WORKER_SOURCE = path.resolve(import.meta.dirname, '../../../native/worker');
/** Closes what this process has inherited from whoever started it; 3 to 5 are for bwrap. */
const ISOLATING = [
  ...['/bin/bash', '--norc', '-c'], // with a socket as its input it would read the caller's start-up files
  'for fd in /proc/self/fd/*; do fd=${fd##*/}; if ((fd > 5)); then eval "exec $fd>&-"; fi; done; exec "$@"',
  'bash',
];
/** bwrap leaves the descriptors open that it has read from. */
const CLOSING = ['/bin/sh', '-c', 'exec "$@" 3<&- 4<&- 5<&-', 'sh'];
const OPEN_FILES_MAX = 4096;
/** Beyond the limit of a command, for what starts it. */
const OWN_PROCESSES = 16;
const ARGUMENTS_BYTES_MAX = 2 << 20;

/** Directories of the host to be made, and where each is shown. Throws `unsupported`. */
export function freshPlaces({ spec, base, directory }: FreshPlan): { host: string; inside: string }[] {
  refuseFixedRoots(spec.workspaceRoots, base);
  const roots = [...spec.workspaceRoots, ...newRoots(spec.extraRoots, base), '/tmp', HOME];
  return [...new Set(roots)]
    .sort()
    .map((inside, index) => ({ host: path.join(directory, String(index)), inside }));
}

/** The whole command line, and what bwrap reads from descriptor 4; on 5 it tells of its first process. */
export function launchArgv(
  plan: FreshPlan,
  own: readonly string[],
): { command: readonly string[]; options: readonly string[] } {
  const split = own.indexOf('--');
  const places = freshPlaces(plan).flatMap(({ host, inside }) => ['--bind', host, inside]);
  const options = [
    ...NAMESPACES,
    ...['--seccomp', '3', '--clearenv'],
    ...systemMounts(plan.base, plan.sharedMemoryBytes),
    ...places,
    ...['--ro-bind', WORKER_SOURCE, `${INSIDE}/worker`, '--ro-bind', process.execPath, `${INSIDE}/node`],
    ...['--remount-ro', '/', ...own.slice(0, split)],
  ];
  const drop = plan.uid === undefined ? [] : dropTo(plan.uid);
  return {
    options,
    command: [...ISOLATING, ...drop, plan.bwrap, '--info-fd', '5', '--args', '4', ...own.slice(split)],
  };
}

/** Throws `invalid_argument` or `too_large` for what cannot be an argument. */
export function commandArgv(
  { spec }: FreshPlan,
  { args = [], extra = [] }: TaskRequest,
  directory: string,
): readonly string[] {
  const all = [...args, ...extra];
  if (all.some((text) => text.includes('\0'))) {
    throw new SandboxError('invalid_argument', 'a string contains NUL');
  }
  if (all.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0) > ARGUMENTS_BYTES_MAX) {
    throw new SandboxError('too_large', 'arguments and environment are too large');
  }
  const variables = extra.flatMap((entry) => {
    const at = entry.indexOf('=');
    return ['--setenv', entry.slice(0, at), entry.slice(at + 1)];
  });
  const processes = Math.floor(spec.limits.pids) + OWN_PROCESSES;
  const limits = [
    `--nproc=${processes}`,
    `--nofile=${OPEN_FILES_MAX}`,
    '--core=0',
    `--fsize=${spec.limits.workspaceBytes}`,
  ];
  return [...variables, '--chdir', directory, '--', ...CLOSING, 'prlimit', ...limits, '--', ...args];
}

export function workerArgv(_plan: FreshPlan, request: TaskRequest): readonly string[] {
  const { verb, cwd, roots, args: [file = ''] = [], numbers = [], extra: skip = [], flags = 0 } = request;
  const json = JSON.stringify({
    verb,
    cwd,
    roots,
    path: file,
    // JSON has no infinity: absent means without limit.
    numbers: numbers.map((number) => (Number.isFinite(number) ? number : null)),
    skip,
    makeParents: (flags & REQUEST_FLAG.makeParents) !== 0,
    recursive: (flags & REQUEST_FLAG.recursive) !== 0,
  });
  const worker = [`${INSIDE}/node`, `${INSIDE}/worker/main.mjs`, json];
  return ['--setenv', 'PATH', '/usr/bin:/bin', '--chdir', '/', '--', ...worker];
}

/** Dropped before bwrap: a sandbox that root has started would be root on the host. */
function dropTo(uid: number): string[] {
  const id = String(uid);
  return ['/usr/bin/setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--no-new-privs', '--'];
}
