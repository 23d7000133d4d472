import { SandboxError } from './sandbox-error.js';
import { type NetworkPolicy, SANDBOX_DEFAULTS, type SandboxLabels, type SandboxSpec } from './spec.js';

/** A spec with its defaults filled in and its values checked. */
export interface ResolvedSpec {
  limits: Required<Omit<SandboxSpec['limits'], 'wallMs'>> & { wallMs?: number };
  env: Readonly<Record<string, string>>;
  network: NetworkPolicy;
  workingDirectory: string;
  readableRoots: readonly string[];
  writableRoots: readonly string[];
  /** The working directory and the writable roots, none inside another, sorted. */
  workspaceRoots: readonly string[];
  /** Staged and readable roots outside the workspace, none inside another, sorted. */
  extraRoots: readonly string[];
  template?: string;
  packages: readonly string[];
  labels: SandboxLabels;
  leaseMs: number;
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PATH_BYTES_MAX = 4096;

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
    workingDirectory,
    readableRoots,
    writableRoots,
    workspaceRoots,
    extraRoots,
    ...(spec.template === undefined ? {} : { template: spec.template }),
    packages: spec.packages ?? [],
    labels: spec.labels,
    leaseMs: spec.leaseMs ?? SANDBOX_DEFAULTS.leaseMs,
  };
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

/** Component-wise: `/a` holds `/a` and `/a/b`, not `/ab`. */
export function isWithin(path: string, root: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}

/** The roots that lie in no other, sorted, without repetition. */
export function outermost(roots: readonly string[]): string[] {
  const sorted = [...new Set(roots)].sort();
  return sorted.filter((root) => !sorted.some((other) => other !== root && isWithin(root, other)));
}

/** Whether `root` is one of `others` or lies inside one. */
export function overlaps(root: string, others: readonly string[]): boolean {
  return others.some((other) => isWithin(root, other));
}
