export { AttemptEnded } from './attempt/attempt-ended.js';
export { type AttemptHistory, type HistoryOptions, openHistory } from './attempt/history.js';
export {
  type AgentErrorCode,
  type AttemptEnd,
  type AttemptOutcome,
  CPU_STARVED,
  endOfDeadSandbox,
  outcomeOf,
} from './attempt/outcome.js';
export type {
  AttemptPorts,
  AttemptStage,
  SnapshotOmissions,
  SnapshotRef,
  SnapshotStore,
} from './attempt/ports.js';
export type { AttemptProgress, ParkedAttempt } from './attempt/progress.js';
export {
  type AttemptErrorInfo,
  type AttemptResult,
  brokenOffResult,
} from './attempt/result.js';
export {
  type ResumeAttemptOptions,
  type RunAttemptOptions,
  resumeAttempt,
  runAttempt,
} from './attempt/run-attempt.js';
export * from './canary/canary-detector.js';
export { type Clock, systemClock } from './clock.js';
export type * from './conversation/state.js';
export { AttemptEvents, type AttemptEventsOptions, type EventIdentity } from './events/attempt-events.js';
export { eventId } from './events/event-id.js';
export type * from './events/payloads.js';
export type { PeerProgress } from './loop/peers.js';
export { received } from './received.js';
export { type CredentialMeans, openCredential, SecretNotSet } from './secrets/credentials.js';
export { redactHeaders } from './secrets/headers.js';
export { OpenedSecrets, type SecretResolver } from './secrets/opened-secrets.js';
export type { ArtifactReader } from './staging/artifacts.js';
export { buildTask, type TaskDocument } from './task/task-document.js';
export type { ArgumentBounds, ArgumentChecks, DefinedArguments } from './tools/argument-checks.js';
export { ToolCatalog, ToolCatalogError } from './tools/catalog.js';
export { buildSurface, type Surface } from './tools/surface.js';
export {
  type Verification,
  type VerifyAttemptOptions,
  verifyAttempt,
} from './verifier/verify-attempt.js';
export type {
  PatternReply,
  PatternSearches,
  PatternTask,
  QueryTurns,
  WorkBounds,
} from './workers/bounded-work.js';
export { QUERIES_MAX, WORKERS_MIB_MAX } from './workers/isolated-worker.js';
export { searchPattern } from './workers/pattern-search.js';
