import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CpuStarvation, IsolationLevel } from '../contract.js';
import { defaultPaths, findProgram, toolEnvironment } from '../host/config.js';
import { findNativeTools, type NativeTools } from '../host/native-tools.js';
import { SandboxError } from '../sandbox-error.js';
import { seccompFilter } from '../seccomp/filter.js';
import type { Architecture } from '../seccomp/syscalls.js';
import { type CgroupLayout, prepareCgroups } from './cgroup-layout.js';
import { findImageMaker } from './disk-image.js';
import { findImageRoots } from './image-roots.js';
import type { BubblewrapOptions } from './options.js';
import { findPackaging } from './packaging.js';
import { reportsRunDelays } from './run-delays.js';
import { findRunsc, type Runsc } from './runsc.js';

const run = promisify(execFile);

export const CGROUP_NAME = 'agentclash';
/** The first with `--disable-userns` and `--size`. */
const BWRAP_SINCE = [0, 8, 0];
const NOT_ROOT = { problem: 'not running as root: all sandboxes share the uid of this user' };
const NAMESPACE_PIDS_SINCE = [5, 14];

/** The capabilities of this machine, detected once. */
export interface Host {
  level: IsolationLevel;
  bwrap: string;
  bwrapVersion: string;
  tools: NativeTools;
  stateDir: string;
  diskDirectory: string;
  /** An empty directory for the pseudo-terminals of each sandbox, mounted out of sight of the others. */
  terminalDirectory: string;
  /** Of the sockets of launchers; no other user reaches into it. */
  socketDirectory: string;
  seccompFile: string;
  layout?: CgroupLayout;
  cpuStarvation: CpuStarvation;
  /** Set where sandboxes run on gVisor. */
  runsc?: Runsc;
  /** Where the launcher mounts the bundle of a sandbox on gVisor, in the mount namespace of each. */
  bundleDirectory: string;
  /** Makes disk images; undefined where they cannot be mounted. */
  imageMaker?: string;
  /** Where packages that an image lacks are kept; undefined where they cannot be laid over it. */
  packageDirectory?: string;
  /** Of the files of builds, each in a directory of its own; parents can be entered by all. */
  buildDirectory: string;
  /** Images can be the roots of sandboxes; needs root. */
  canMountImages: boolean;
  /** Each sandbox runs under a host uid of its own; needs root. */
  hasOwnUids: boolean;
  /** RLIMIT_NPROC counts per user namespace (since Linux 5.14). */
  countsPidsPerNamespace: boolean;
  /** Registered images that are there: name to root directory. */
  templates: Readonly<Record<string, string>>;
  /** The parts of the isolation that are weaker than possible, such as the level. */
  shortfalls: Shortfall[];
}

export interface Shortfall {
  problem: string;
  fix: string;
}

/** Throws `unavailable` with what to do when no sandbox can run here. */
export async function prepareHost(options: BubblewrapOptions): Promise<Host> {
  if (process.platform !== 'linux') throw new SandboxError('unavailable', 'bubblewrap needs Linux');
  const architecture = process.arch;
  if (architecture !== 'x64' && architecture !== 'arm64') {
    throw new SandboxError('unavailable', `no system call filter for ${architecture}`);
  }
  const isRoot = process.getuid?.() === 0;
  const paths = defaultPaths(isRoot);
  const stateDir = options.stateDir ?? paths.stateDir;
  const { bwrap, version } = await findBubblewrap();
  const cacheDir = options.cacheDir ?? paths.cacheDir;
  const tools = await placed('XDG_CACHE_HOME', () => findNativeTools(cacheDir, options.tools));
  await placed('XDG_RUNTIME_DIR', () => {
    mkdirSync(path.join(stateDir, 'disk'), { recursive: true, mode: 0o755 });
    mkdirSync(path.join(stateDir, 'bundle'), { recursive: true, mode: 0o755 });
    mkdirSync(path.join(stateDir, 'terminals'), { recursive: true, mode: 0o755 });
    mkdirSync(path.join(stateDir, 'sockets'), { recursive: true, mode: 0o700 });
  });
  const packaging = await findPackaging(tools, stateDir);
  const imageRoots = await findImageRoots(tools, { stateDir, isRoot });
  const { layout, shortfalls } = levelOf(isRoot, options);
  const runsc = options.isolation === 'gvisor' ? await findGvisor(options, stateDir, layout) : undefined;
  const images = usableTemplates(options.templates ?? {});
  const imageMaker = findImageMaker(isRoot);
  return {
    level: layout ? 'full' : 'basic',
    bwrap,
    bwrapVersion: version,
    tools,
    stateDir,
    diskDirectory: path.join(stateDir, 'disk'),
    terminalDirectory: path.join(stateDir, 'terminals'),
    socketDirectory: path.join(stateDir, 'sockets'),
    seccompFile: writeFilter(stateDir, architecture),
    ...(layout ? { layout } : {}),
    cpuStarvation: starvationOf(layout),
    ...(runsc === undefined ? {} : { runsc }),
    bundleDirectory: path.join(stateDir, 'bundle'),
    ...(imageMaker === undefined ? {} : { imageMaker }),
    ...(packaging.canLayer
      ? { packageDirectory: options.packageDir ?? path.join(cacheDir, 'packages') }
      : {}),
    buildDirectory: path.join(cacheDir, 'builds'),
    canMountImages: imageRoots.canMount,
    hasOwnUids: isRoot,
    countsPidsPerNamespace: !isOlder(versionIn(release()), NAMESPACE_PIDS_SINCE),
    templates: images.templates,
    shortfalls: [...shortfalls, ...packaging.shortfalls, ...imageRoots.shortfalls, ...images.shortfalls],
  };
}

function levelOf(
  isRoot: boolean,
  options: BubblewrapOptions,
): { layout?: CgroupLayout; shortfalls: Shortfall[] } {
  if (options.level === 'basic') return { shortfalls: [] };
  const found = isRoot ? prepareCgroups(options.cgroupName ?? CGROUP_NAME) : NOT_ROOT;
  if ('layout' in found) return { layout: found.layout, shortfalls: [] };
  const fix = 'run as root on a machine with writable memory, pids and cpu cgroups';
  const shortfall = { problem: `${found.problem}; memory and CPU are not limited per sandbox`, fix };
  if (options.level === 'full') throw new SandboxError('unavailable', shortfall.problem, { fix });
  return { shortfalls: [shortfall] };
}

/** Its processes are limited by cgroups alone. */
async function findGvisor(
  { runsc }: BubblewrapOptions,
  stateDir: string,
  layout: CgroupLayout | undefined,
): Promise<Runsc> {
  if (layout !== undefined) return await findRunsc(stateDir, runsc);
  const fix = 'run as root on a machine with writable memory, pids and cpu cgroups';
  throw new SandboxError('unavailable', 'gVisor limits sandboxes by cgroups, which cannot be made', { fix });
}

function starvationOf(layout: CgroupLayout | undefined): CpuStarvation {
  if (layout?.parents.pressure !== undefined) return 'pressure';
  const canRead = reportsRunDelays() && (layout?.version !== 1 || layout.parents.cpuacct !== undefined);
  return canRead ? 'run_delay' : 'none';
}

async function findBubblewrap(): Promise<{ bwrap: string; version: string }> {
  const bwrap = findProgram('bwrap');
  const fix = 'apt-get install -y bubblewrap (0.8.0 or newer)';
  if (!bwrap) throw new SandboxError('unavailable', 'bubblewrap is missing', { fix });
  const { stdout } = await run(bwrap, ['--version'], { env: toolEnvironment() });
  const version = versionIn(stdout);
  if (isOlder(version, BWRAP_SINCE)) {
    throw new SandboxError('unavailable', `${stdout.trim()} is too old`, { fix });
  }
  return { bwrap, version: version.join('.') };
}

function versionIn(text: string): number[] {
  return (/\d+(\.\d+)+/.exec(text)?.[0] ?? '0').split('.').map(Number);
}

function isOlder(version: readonly number[], minimum: readonly number[]): boolean {
  const at = minimum.findIndex((part, index) => version[index] !== part);
  return at >= 0 && (version[at] ?? 0) < (minimum[at] ?? 0);
}

function writeFilter(stateDir: string, architecture: Architecture): string {
  const filter = seccompFilter(architecture);
  const digest = createHash('sha256').update(filter).digest('hex').slice(0, 16);
  const file = path.join(stateDir, `seccomp-${digest}.bpf`);
  if (existsSync(file)) return file;
  // A filter that a full disk has cut short would be a weaker one.
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, filter, { mode: 0o644 });
    renameSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
  return file;
}

/** Does what makes directories; the error names the setting of another directory when this one cannot be written. */
async function placed<T>(variable: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall !== 'mkdir') throw cause;
    throw new SandboxError('unavailable', 'sandboxes cannot make their directories', {
      cause,
      fix: `name a directory that this user may write in ${variable}`,
    });
  }
}

/** Registered images that exist; the others are reported at start instead of being found missing by an attempt. */
function usableTemplates(registered: Host['templates']): {
  templates: Host['templates'];
  shortfalls: Shortfall[];
} {
  const entries = Object.entries(registered);
  const isThere = ([, root]: readonly [string, string]) =>
    statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  const shortfalls = entries
    .filter((entry) => !isThere(entry))
    .map(([name, root]) => ({
      problem: `the template ${name} is not offered: there is no directory ${root}`,
      fix: 'name the root directory of an image in SANDBOX_TEMPLATES',
    }));
  return { templates: Object.fromEntries(entries.filter(isThere)), shortfalls };
}
