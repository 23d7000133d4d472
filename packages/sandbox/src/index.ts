export { liveProcesses } from './bubblewrap/live-processes.js';
export { type SandboxFolders, sandboxFolders } from './bubblewrap/machine-folders.js';
export { type BubblewrapProvider, createBubblewrapProvider } from './bubblewrap/provider.js';
export { type SandboxChoice, SandboxEnvironment } from './choice/choice.js';
export { openLocalImages, operatorEgress, pinnedImage } from './choice/images.js';
export { probeSandbox } from './choice/probe.js';
export type {
  ExcludedWaits,
  ExecOptions,
  ExecResult,
  IsolationLevel,
  SandboxCapabilities,
  SandboxDeath,
  SandboxEnd,
  SandboxProvider,
  SandboxSession,
} from './contract.js';
export { DAEMON_LABEL, type DaemonObjects, daemonObjects } from './docker/made-objects.js';
export type {
  FileContent,
  FileListing,
  FileScope,
  FileStat,
  FileWritten,
  ListOptions,
  ReadOptions,
  Snapshot,
  SnapshotReport,
  WriteOptions,
} from './file-store.js';
export { sandboxesMax } from './host/capacity.js';
export { sharedPackagesDirectory } from './host/config.js';
export { planNativeTools } from './host/native-tools.js';
export type { ImageBuild, ImageProgress, PreparedImage, PrepareOptions } from './image.js';
export { AbandonableWork } from './packages/shared-work.js';
export { isSandboxError, SandboxError } from './sandbox-error.js';
export {
  type EgressPort,
  type HostDirectory,
  SANDBOX_DEFAULTS,
  type SandboxImage,
  type SandboxSpec,
} from './spec.js';
