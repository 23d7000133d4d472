/** The parts of the engine's objects that we read; names are the engine's. */
export interface EngineInfo {
  ServerVersion: string;
  OSType: string;
  /** Of the machine, as `uname -m` prints it. */
  Architecture: string;
  SecurityOptions?: string[] | null;
  KernelVersion?: string;
  /** `path`: of the program on the machine of the daemon; absent for shims of containerd. */
  Runtimes?: Record<string, { path?: string; runtimeArgs?: readonly string[] | null }> | null;
  DefaultRuntime?: string;
  DockerRootDir: string;
  MemoryLimit: boolean;
  PidsLimit: boolean;
  CpuCfsQuota: boolean;
}

export interface EngineVersion {
  ApiVersion: string;
  MinAPIVersion?: string;
}

export interface ContainerSummary {
  Id: string;
  /** Each with a slash before it. */
  Names?: string[] | null;
  ImageID: string;
  State: string;
  /** Seconds since 1970. */
  Created: number;
  Labels?: Record<string, string> | null;
}

export interface ContainerDetails {
  Id: string;
  State: {
    Status: string;
    Running: boolean;
    OOMKilled: boolean;
    ExitCode: number;
    Error?: string;
    FinishedAt: string;
    Pid: number;
  };
  /** Bytes; with `size` only. */
  SizeRw?: number;
}

export interface ImageDetails {
  /** The digest of its configuration. */
  Id: string;
  RepoTags?: string[] | null;
  /** `NAME@sha256:…` of images that came from a registry. */
  RepoDigests?: string[] | null;
  Architecture: string;
  Os: string;
  Size: number;
  /** The digests of its layers as tar files, the lowest first. */
  RootFS?: { Layers?: string[] | null };
  Config?: {
    Env?: string[] | null;
    WorkingDir?: string;
    Volumes?: Record<string, object> | null;
  } | null;
  Metadata?: { LastTagTime?: string };
}

/** One message of a pull, an import or a build. */
export interface EngineMessage {
  stream?: string;
  status?: string;
  id?: string;
  progressDetail?: { current?: number; total?: number };
  error?: string;
  errorDetail?: { code?: number; message?: string };
  aux?: { ID?: string };
}

export const LABEL = {
  managedBy: 'agentclash.dev/managed-by',
  owner: 'agentclash.dev/owner',
  /** RFC 3339: no sandbox is older. */
  expires: 'agentclash.dev/expires',
  runId: 'agentclash.dev/run-id',
  attemptId: 'agentclash.dev/attempt-id',
} as const;

export const MANAGER = 'agentclash-sandbox';
