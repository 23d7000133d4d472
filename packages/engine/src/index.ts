export { documentOf } from './attempt/documents.js';
export type { AttemptPorts, AttemptStage } from './attempt/ports.js';
export { type AttemptProgress, brokenOffResult, type ParkedAttempt } from './attempt/result.js';
export {
  type ResumeAttemptOptions,
  type RunAttemptOptions,
  resumeAttempt,
  runAttempt,
} from './attempt/run-attempt.js';
export type { SnapshotStore } from './attempt/settle.js';
export { type Clock, systemClock } from './clock.js';
export type * from './conversation/state.js';
export {
  AttemptEvents,
  type AttemptEventsOptions,
  type EventIdentity,
  eventId,
} from './events/attempt-events.js';
export { type AttemptHistory, type HistoryOptions, openHistory } from './events/history.js';
export {
  type AgentErrorCode,
  type AttemptEnd,
  AttemptEnded,
  type AttemptOutcome,
  CPU_STARVED,
  endOfDeadSandbox,
  outcomeOf,
} from './outcome/attempt-end.js';
export { redactHeaders } from './primitives/http-request.js';
export { NODE_DIRECTORY, packagesDirectory } from './programs/preset-program.js';
export type { ReplyCache } from './recording/call-cache.js';
export type { Recording } from './recording/replay.js';
export * from './secrets/canary-detector.js';
export {
  type CredentialContext,
  OpenedSecrets,
  openCredential,
  SecretNotSet,
  type SecretResolver,
} from './secrets/opened-secrets.js';
export type { ArtifactReader } from './staging/artifacts.js';
export { buildTask } from './task/task-document.js';
export type { ArgumentChecks, DefinedArguments } from './tools/arguments.js';
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
  QueryLimiter,
  WorkBounds,
} from './workers/bounded-work.js';
export { QUERIES_MAX, WORKERS_MIB_MAX } from './workers/isolated-worker.js';
export { searchPattern } from './workers/pattern-search.js';
