import { SandboxError } from './sandbox-error.js';
import {
  type HostDirectory,
  type NetworkPolicy,
  PROXY_PORT,
  SANDBOX_DEFAULTS,
  type SandboxImage,
  type SandboxLabels,
  type SandboxListener,
  type SandboxSpec,
} from './spec.js';

/** A spec with its defaults filled in and its values checked. */
export interface ResolvedSpec {
  limits: Required<Omit<SandboxSpec['limits'], 'wallMs'>> & { wallMs?: number };
  env: Readonly<Record<string, string>>;
  network: NetworkPolicy;
  directories: readonly HostDirectory[];
  listeners: readonly SandboxListener[];
  workingDirectory: string;
  readableRoots: readonly string[];
  writableRoots: readonly string[];
  /** The working directory and the writable roots, none inside another, sorted. */
  workspaceRoots: readonly string[];
  /** As given. */
  stagedRoots: readonly string[];
  /** Staged and readable roots outside the workspace, none inside another, sorted. */
  extraRoots: readonly string[];
  template?: string;
  image?: Required<SandboxImage>;
  packages: readonly string[];
  labels: SandboxLabels;
  leaseMs: number;
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PATH_BYTES_MAX = 4096;
/** Commands run as a user that may not listen on lower ones; the agent of the sandbox has the same user. */
const PORT_MIN = 1024;
const LISTENERS_MAX = 2;

/** Throws `invalid_argument` (limits, environment) or `invalid_path`. */
export function resolveSpec(spec: SandboxSpec): ResolvedSpec {
  const { limits } = spec;
  for (const name of ['cpu', 'memoryBytes', 'pids', 'workspaceBytes', 'wallMs', 'outputBytes'] as const) {
    const value = limits[name];
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
      throw new SandboxError('invalid_argument', `limit ${name} must be a positive number`);
    }
  }
  for (const [name, value] of Object.entries(spec.env ?? {})) {
    if (!VARIABLE.test(name) || value.includes('\0')) {
      throw new SandboxError('invalid_argument', `bad environment variable ${JSON.stringify(name)}`);
    }
  }
  const workingDirectory = cleanRoot(spec.filesystem?.workingDirectory ?? SANDBOX_DEFAULTS.workingDirectory);
  const readableRoots = (spec.filesystem?.readableRoots ?? [workingDirectory]).map(cleanRoot);
  const writableRoots = (spec.filesystem?.writableRoots ?? [workingDirectory]).map(cleanRoot);
  const workspaceRoots = outermost([workingDirectory, ...writableRoots]);
  const staged = (spec.filesystem?.stagedRoots ?? []).map(cleanRoot);
  const extras = [...staged, ...readableRoots].filter(
    (root) => root !== '/' && !overlaps(root, workspaceRoots),
  );
  const extraRoots = outermost(extras);
  return {
    limits: { ...limits, outputBytes: limits.outputBytes ?? SANDBOX_DEFAULTS.outputBytes },
    env: spec.env ?? {},
    network: spec.network ?? { kind: 'none' },
    directories: checkedDirectories(spec.directories ?? [], [...workspaceRoots, ...extraRoots]),
    listeners: checkedListeners(spec.listeners ?? []),
    workingDirectory,
    readableRoots,
    writableRoots,
    workspaceRoots,
    stagedRoots: staged,
    extraRoots,
    ...(spec.template === undefined ? {} : { template: spec.template }),
    ...(spec.image === undefined ? {} : { image: checkedImage(spec.image, spec) }),
    packages: spec.packages ?? [],
    labels: spec.labels,
    leaseMs: spec.leaseMs ?? SANDBOX_DEFAULTS.leaseMs,
  };
}

function checkedImage(image: SandboxImage, { template, packages = [] }: SandboxSpec): Required<SandboxImage> {
  if (template !== undefined || packages.length > 0) {
    throw new SandboxError(
      'invalid_argument',
      'an image has its own packages: no template and no packages beside it',
    );
  }
  return { reference: image.reference, runAsRoot: image.runAsRoot ?? false };
}

function checkedDirectories(
  directories: readonly HostDirectory[],
  roots: readonly string[],
): readonly HostDirectory[] {
  return directories.map(({ source, path }) => {
    const at = cleanRoot(path);
    if (at === '/' || overlaps(at, roots)) {
      throw new SandboxError('invalid_path', `${at} cannot hold a directory of the host`);
    }
    return { source, path: at };
  });
}

function checkedListeners(listeners: readonly SandboxListener[]): readonly SandboxListener[] {
  const ports = new Set(listeners.map(({ port }) => port));
  if (ports.size !== listeners.length || listeners.length > LISTENERS_MAX || ports.has(PROXY_PORT)) {
    throw new SandboxError(
      'invalid_argument',
      `listeners are at most ${LISTENERS_MAX}, on ports of their own`,
    );
  }
  for (const port of ports) {
    if (!Number.isInteger(port) || port < PORT_MIN || port > 65_535) {
      throw new SandboxError('invalid_argument', `bad port of a listener: ${port}`);
    }
  }
  return listeners;
}

/** Absolute, without `.`, `..`, repeated or trailing slashes. */
function cleanRoot(root: string): string {
  const parts = root.split('/').filter((part) => part !== '' && part !== '.');
  const isPlain = root.startsWith('/') && !root.includes('\0') && !parts.includes('..');
  if (!isPlain || Buffer.byteLength(root) > PATH_BYTES_MAX) {
    throw new SandboxError(
      'invalid_path',
      `not an absolute directory: ${JSON.stringify(root.slice(0, 100))}`,
    );
  }
  return `/${parts.join('/')}`;
}

/** The directories of the kernel, of the platform and of passing files. */
const OUTSIDE_OF_CHANGES = ['/proc', '/sys', '/dev', '/tmp', '/run', '/.agentclash', '/agentclash'];
/** Files that runtimes of containers lay over those of the image. */
const RUNTIME_FILES = ['/etc/hosts', '/etc/hostname', '/etc/resolv.conf', '/.dockerenv'];

/** The paths of an image's root whose changes no snapshot takes. */
export function outsideOfChanges({ stagedRoots, directories, workspaceRoots }: ResolvedSpec): string[] {
  const passing = OUTSIDE_OF_CHANGES.filter((path) => !workspaceRoots.some((root) => isWithin(root, path)));
  return [...passing, ...RUNTIME_FILES, ...stagedRoots, ...directories.map(({ path }) => path)];
}

/** Component-wise: `/a` holds `/a` and `/a/b`, not `/ab`. */
export function isWithin(path: string, root: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}

/** The roots that lie in no other, sorted, without repetition. */
export function outermost(roots: readonly string[]): string[] {
  const sorted = [...new Set(roots)].sort();
  return sorted.filter((root) => !sorted.some((other) => other !== root && isWithin(root, other)));
}

/** True when `root` is one of `others` or lies inside one. */
export function overlaps(root: string, others: readonly string[]): boolean {
  return others.some((other) => isWithin(root, other));
}
