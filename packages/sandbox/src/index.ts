export type { BubblewrapOptions, IsolationLevel } from './bubblewrap/options.js';
export { probeSandbox, type SandboxProbe } from './bubblewrap/probe.js';
export { type BubblewrapProvider, createBubblewrapProvider } from './bubblewrap/provider.js';
export { missingCapabilities } from './capabilities.js';
export type {
  ExecOptions,
  ExecResult,
  ReapReport,
  SandboxCapabilities,
  SandboxDeath,
  SandboxEnd,
  SandboxProvider,
  SandboxSession,
  SandboxStats,
} from './contract.js';
export type { E2bOptions } from './e2b/options.js';
export { createE2bProvider, type E2bProvider } from './e2b/provider.js';
export type {
  FileContent,
  FileEntry,
  FileKind,
  FileListing,
  FileScope,
  FileStat,
  FileStore,
  FileWritten,
  ListOptions,
  ReadOptions,
  Snapshot,
  SnapshotReport,
  WriteOptions,
} from './file-store.js';
export type { ApiAccess } from './kubernetes/api-access.js';
export type { KubernetesOptions } from './kubernetes/options.js';
export { createKubernetesProvider, type KubernetesProvider } from './kubernetes/provider.js';
export { isSandboxError, SANDBOX_ERROR_CODES, SandboxError, type SandboxErrorCode } from './sandbox-error.js';
export {
  type EgressPort,
  type FilesystemPolicy,
  type NetworkPolicy,
  SANDBOX_DEFAULTS,
  type SandboxLabels,
  type SandboxLimits,
  type SandboxSpec,
} from './spec.js';
