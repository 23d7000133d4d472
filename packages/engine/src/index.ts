export { documentOf } from './attempt/documents.js';
export type { AttemptPorts, AttemptStage, GradePhase } from './attempt/ports.js';
export type { AttemptProgress, ParkedAttempt } from './attempt/result.js';
export {
  resumeAttempt,
  runAttempt,
} from './attempt/run-attempt.js';
export { SandboxImages } from './attempt/sandbox-images.js';
export type { SnapshotStore } from './attempt/settle.js';
export { systemClock } from './clock.js';
export type * from './conversation/state.js';
export { type AttemptHistory, openHistory } from './events/history.js';
export {
  type AttemptEnd,
  AttemptEnded,
  CPU_STARVED,
  outcomeOf,
} from './outcome/attempt-end.js';
export { NODE_DIRECTORY, packagesDirectory } from './programs/preset-program.js';
export type { ReplyCache } from './recording/call-cache.js';
export type { Recording } from './recording/replay.js';
export { sandboxAbilities } from './sandbox/sandbox-abilities.js';
export * from './secrets/canary-detector.js';
export { accountOf } from './secrets/model-account.js';
export {
  OpenedSecrets,
  SecretNotSet,
  type SecretResolver,
} from './secrets/opened-secrets.js';
export type { ArtifactReader } from './staging/artifacts.js';
export { type ArgumentChecks, argumentsCheck, type DefinedArguments } from './tools/arguments.js';
export { ToolCatalog } from './tools/catalog.js';
export { type GatePorts, phaseGrader } from './verifier/phase-gate.js';
export type { TestRunPayload } from './verifier/test-run.js';
export {
  type Verification,
  verifyAttempt,
} from './verifier/verify-attempt.js';
export { type Verified, verifiedResult, verifyEnded } from './verifier/verify-ended.js';
export type {
  PatternReply,
  PatternSearches,
  PatternTask,
  QueryLimiter,
  WorkBounds,
} from './workers/bounded-work.js';
export { QUERIES_MAX, runIsolated, WORKERS_MIB_MAX, type WorkerScope } from './workers/isolated-worker.js';
