import type { FileStore } from './file-store.js';
import type { ImageBuild, PreparedImage, PrepareOptions } from './image.js';
import type { SandboxSpec } from './spec.js';

/**
 * The capabilities of a provider beyond the verbs of {@link SandboxSession}. A pack that needs more is refused, never
 * weakened.
 */
export interface SandboxCapabilities {
  /** Installs `spec.packages` that its default image lacks. */
  packages: boolean;
  /** Names accepted as `spec.template`. */
  templates: readonly string[];
  /** Runs `spec.image`: it has `prepareImage`. */
  images: boolean;
  /** Builds images from Dockerfiles: it has `buildImage`. */
  imageBuilds: boolean;
  /** Gives builds a network (`ImageBuild.network: 'host'`). Default: it does not. */
  networkInBuilds?: boolean;
  /** Accepts `spec.image.runAsRoot`. */
  rootInImages: boolean;
  /** Brings an egress proxy to the sandbox's loopback (`network.kind: 'proxied'`). */
  egressProxy: boolean;
  /** Shows directories of the host, read-only (`spec.directories`). */
  hostDirectories: boolean;
  /** Processes may open arbitrary outgoing connections. */
  rawNetwork: boolean;
  /** A kernel of its own, or an equivalent boundary, between sandbox and host. */
  strongIsolation: boolean;
  /** Limits hold for memory, CPU and processes of the whole sandbox, not of single processes. */
  groupLimits: boolean;
  /** How it knows that a sandbox was ready to run and got no CPU; see {@link CpuStarvation}. */
  cpuStarvation: CpuStarvation;
}

/**
 * `pressure`: by the pressure accounting of the sandbox's own cgroup. `run_delay`: by the run-queue delays of its
 * threads, which sees less of it where several of them are busy. `none`: not at all; limits are of wall time.
 */
export type CpuStarvation = 'pressure' | 'run_delay' | 'none';

/** `basic`: a sandbox may take memory and CPU of other sandboxes, and shares their uid on the host. */
export type IsolationLevel = 'full' | 'basic';

export interface SandboxProvider {
  readonly name: string;
  readonly capabilities: SandboxCapabilities;
  /** The isolation of sandboxes opened here. */
  readonly isolation: IsolationLevel;
  /** Names of the packages in a template's image, or the default one's; empty where they cannot be known. */
  installedPackages(template?: string): Promise<ReadonlySet<string>>;
  /** True when it installs `spec.packages` that a template's image lacks, or the default one. */
  installsPackages(template?: string): boolean;
  /** Those of the commands `python3` and `node` that a template's image has, or the default one; absent: not known. */
  interpreters?(template?: string): readonly string[];
  /**
   * Makes an image available to `create`: pulled, checked and unpacked once; concurrent calls share the work. Throws
   * `invalid_image` where trying again cannot help, `unavailable` where it may.
   */
  prepareImage?(reference: string, options?: PrepareOptions): Promise<PreparedImage>;
  /** Builds an image once per key and returns its reference. Throws like `prepareImage`. */
  buildImage?(build: ImageBuild, options?: PrepareOptions): Promise<string>;
  /** Opens a sandbox that responds. Throws `unsupported`, `invalid_argument` or `unavailable`. */
  create(spec: SandboxSpec, options?: { signal?: AbortSignal }): Promise<SandboxSession>;
  /** Removes what crashed owners and expired leases left. Runs by itself at start and every minute. */
  reap(): Promise<ReapReport>;
  /** Destroys every sandbox of this provider object and stops its reaper. Idempotent. */
  close(): Promise<void>;
}

export interface ReapReport {
  /** Ids of sandboxes that were removed. */
  removed: string[];
}

/**
 * One live sandbox. Every method throws `sandbox_dead` once it has ended, whatever ended it.
 * The file verbs resolve paths inside the sandbox and open in the same step; see {@link FileStore}.
 */
export interface SandboxSession extends FileStore {
  readonly id: string;
  readonly provider: string;
  /** The end of the sandbox; resolves once, also after `destroy`. Never rejects. */
  readonly ended: Promise<SandboxEnd>;
  /** Runs a command to its end. A non-zero exit, a signal and a timeout are results, not errors. */
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Kills every process in the sandbox, background jobs and racing forks included; the sandbox stays usable. */
  killAll(): Promise<void>;
  /** Resolves when the sandbox responds; throws `sandbox_dead` or `timeout`. */
  ping(): Promise<void>;
  /** The sandbox ends by itself `leaseMs` (default: that of its spec) from now unless renewed again. */
  renewLease(leaseMs?: number): void;
  stats(): Promise<SandboxStats>;
  /** Ends the sandbox and leaves nothing of it. Idempotent; resolves when all is gone. */
  destroy(): Promise<void>;
}

export interface SandboxEnd {
  death: SandboxDeath;
  /** The cause, for users: part of a sentence that names nothing of the host. */
  message: string;
  /** A sentence for logs. */
  detail: string;
}

export type SandboxDeath = 'destroyed' | 'killed' | 'oom' | 'lease_expired' | 'wall_time';

export interface ExcludedWaits {
  /** The total since the start of the command. */
  ms: () => number;
  /** Never exceeded by `ms`. */
  msMax: number;
}

export interface ExecOptions {
  /** Relative paths start at the working directory of the spec, which is also the default. */
  cwd?: string;
  /** `cwd` must resolve into one of these; default: the readable roots of the spec. */
  roots?: readonly string[];
  /** Added to the environment of the spec. */
  env?: Readonly<Record<string, string>>;
  /** Default: end of file at once. */
  stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * The command and all its descendants are killed then. Time in which the sandbox was ready to run and got no CPU does
   * not count, where the provider knows of it. Default: until the lease or wall time ends.
   */
  timeoutMs?: number;
  /** No more than this is left out of `timeoutMs`; beyond it the call fails with `cpu_starved`. Default: ten times that. */
  starvedMsMax?: number;
  /** Called while the command runs, and once it has ended, with the time that `timeoutMs` has left out so far. */
  onStarved?: (starvedMs: number) => void;
  /** Time in which the command waits for the platform: `timeoutMs` leaves it out, too. */
  waits?: ExcludedWaits;
  /** Cap on stdout and stderr together; default, and maximum unless `tailBytes` is given: `limits.outputBytes`. */
  outputBytesMax?: number;
  /** The result keeps only this many of the last bytes of each stream; for commands with long output to listeners. */
  tailBytes?: number;
  onStdout?: (chunk: Uint8Array) => void;
  onStderr?: (chunk: Uint8Array) => void;
  /** Kills the command and its descendants; the call rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface ExecResult {
  /** 0 to 255; 128 + number when a signal ended it; 126 not executable, 127 not found. */
  exitCode: number;
  /** Name of the signal that ended the command itself, such as `SIGKILL`. */
  signal?: string;
  timedOut: boolean;
  /** The kernel killed a process of the sandbox for memory while the command ran. */
  oomKilled: boolean;
  stdout: Buffer;
  stderr: Buffer;
  /** Output beyond the cap was read and dropped. */
  truncated: boolean;
  /** Wall time. */
  durationMs: number;
  /** Of that, what `timeoutMs` did not count; undefined where there was no limit or the provider cannot know. */
  starvedMs?: number;
}

/** Figures of the whole sandbox; undefined where the provider cannot know. */
export interface SandboxStats {
  memoryBytes?: number;
  memoryPeakBytes?: number;
  cpuMs?: number;
  processes?: number;
  oomKills?: number;
}
