export type { BubblewrapOptions } from './bubblewrap/options.js';
export { type BubblewrapProvider, createBubblewrapProvider } from './bubblewrap/provider.js';
export { type SandboxChoice, SandboxEnvironment } from './choice/choice.js';
export { probeSandbox, type SandboxProbe } from './choice/probe.js';
export type {
  CpuStarvation,
  ExecOptions,
  ExecResult,
  IsolationLevel,
  ReapReport,
  SandboxCapabilities,
  SandboxDeath,
  SandboxEnd,
  SandboxProvider,
  SandboxSession,
  SandboxStats,
} from './contract.js';
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
export { sharedPackagesDirectory } from './host/config.js';
export { planNativeTools } from './host/native-tools.js';
export { isSandboxError, SandboxError, type SandboxErrorCode } from './sandbox-error.js';
export {
  type EgressPort,
  type FilesystemPolicy,
  type HostDirectory,
  type NetworkPolicy,
  SANDBOX_DEFAULTS,
  type SandboxLabels,
  type SandboxLimits,
  type SandboxListener,
  type SandboxSpec,
} from './spec.js';
