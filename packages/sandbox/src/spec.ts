import type { Duplex } from 'node:stream';

/** The parts of a sandbox. */
export interface SandboxSpec {
  limits: SandboxLimits;
  /** Literal environment of every process; nothing of the host's is inherited. */
  env?: Readonly<Record<string, string>>;
  /** Default: none. */
  network?: NetworkPolicy;
  /** Directories of the host that processes may read, such as the packages of an agent. */
  directories?: readonly HostDirectory[];
  /** Services of the host on ports of the sandbox's loopback, whatever its network. At most two. */
  listeners?: readonly SandboxListener[];
  /** Default: working directory and only root `/workspace`. */
  filesystem?: FilesystemPolicy;
  /** An image the operator registered; default: the host's read-only `/usr`. */
  template?: string;
  /** An image of its own in place of a template and its packages; the root is writable. */
  image?: SandboxImage;
  /** Debian package names that must exist before the agent starts. */
  packages?: readonly string[];
  labels: SandboxLabels;
  /** How long the sandbox lives without `renewLease`. Default 60,000. */
  leaseMs?: number;
}

export interface SandboxLimits {
  /** CPUs, fractions allowed. */
  cpu: number;
  /** For processes; the sizes of the in-memory disks come on top. */
  memoryBytes: number;
  /** Processes and threads alive at once. */
  pids: number;
  /** The disk that the working directory and the writable roots share. */
  workspaceBytes: number;
  /** From creation to the forced end; default: the lease alone limits. */
  wallMs?: number;
  /** stdout and stderr of one command. Default 4 MiB. */
  outputBytes?: number;
}

export type NetworkPolicy =
  | { kind: 'none' }
  /**
   * No network of its own: what processes send to port 3128 of their loopback arrives at `serve`, one stream for each
   * connection, and the usual proxy variables name that port.
   */
  | { kind: 'proxied'; proxy: EgressPort };

/** A directory of the host, read-only in the sandbox. */
export interface HostDirectory {
  source: string;
  /** Absolute; outside of the workspace. */
  path: string;
}

/** One service: each connection to `port` arrives at `serve`, which owns the stream; it ends with the sandbox. */
export interface SandboxListener {
  port: number;
  serve(stream: Duplex): void;
}

/** An HTTP/CONNECT proxy of the host's. It owns the streams it gets; they end with the sandbox. */
export interface EgressPort {
  serve(stream: Duplex): void;
}

/**
 * The root of a sandbox, writable as far as its user may; the limit `workspaceBytes` holds for all that is written. A
 * snapshot takes every change of the root but those below `/tmp`, `/run` and the staged roots. The image's environment
 * comes before that of the spec.
 */
export interface SandboxImage {
  /** `NAME@sha256:…`, or the reference that `buildImage` returned. */
  reference: string;
  /**
   * Processes are uid 0 of a user namespace of the sandbox, with the capabilities that package managers need.
   * Default: uid 1000 without capabilities.
   */
  runAsRoot?: boolean;
}

/**
 * All paths absolute. Working directory, readable, writable and staged roots exist. Working directory and
 * writable roots are the workspace: they share the sized disk and are what a snapshot takes.
 */
export interface FilesystemPolicy {
  /** Default `/workspace`. */
  workingDirectory?: string;
  /** Default: the working directory. */
  readableRoots?: readonly string[];
  /** Default: the working directory. */
  writableRoots?: readonly string[];
  /** Directories for files that only the host places (`/agent`, `/grader`); no part of a snapshot. */
  stagedRoots?: readonly string[];
}

export interface SandboxLabels {
  runId: string;
  attemptId: string;
}

/** Where processes of a sandbox find the egress proxy, on their loopback. */
export const PROXY_PORT = 3128;

export const SANDBOX_DEFAULTS = {
  workingDirectory: '/workspace',
  leaseMs: 60_000,
  outputBytes: 4 * 1024 * 1024,
  /** How many times its own length a time limit is extended by starvation, at most. */
  starvationMax: 10,
  /** Largest file that `readFile` takes. */
  fileBytesMax: 64 * 1024 * 1024,
  /** Largest file that `writeFile` takes: as large as an artifact, so that what can be stored can be staged. */
  writtenBytesMax: 100 * 1024 * 1024,
} as const;
