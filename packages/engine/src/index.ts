export { PROGRAM_FILES_BYTES_MAX } from './agents/program.js';
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
export { DELIVERIES_MAX, planRedelivery, type Redelivery } from './attempt/redelivery.js';
export {
  type AttemptErrorInfo,
  type AttemptResult,
  brokenOffResult,
  cancelledResult,
} from './attempt/result.js';
export {
  type ResumeAttemptOptions,
  type RunAttemptOptions,
  resumeAttempt,
  runAttempt,
} from './attempt/run-attempt.js';
export { mayReachOut } from './attempt/sandbox-exit.js';
export * from './canary/canary-detector.js';
export { type Clock, systemClock } from './clock.js';
export type * from './conversation/state.js';
export { AttemptEvents, type AttemptEventsOptions, type EventIdentity } from './events/attempt-events.js';
export { eventId } from './events/event-id.js';
export { type Interruption, isStart, type OpenStart, PAIRS, type StartType } from './events/pairs.js';
export type * from './events/payloads.js';
export type { PeerProgress } from './loop/peers.js';
export type * from './plan.js';
export { plannedFilesystem, plannedSandbox } from './planning/environment.js';
export { graderChecks } from './planning/grader-checks.js';
export {
  DEFAULT_LIMITS,
  DEFAULT_RESOURCES,
  type LimitSettings,
  type LimitSources,
  type PackRuntimeLimits,
  resolveLimits,
  resolveResources,
} from './planning/limits.js';
export {
  type PackPlan,
  type PackPlanOptions,
  PlanningError,
  planFromPack,
  planGrading,
} from './planning/pack-plan.js';
export { type ScriptedDeployment, scriptFor } from './planning/script.js';
export { effectivePolicy, type Policy } from './policy/policy.js';
export { received } from './received.js';
export { redactHeaders } from './redaction/headers.js';
export type { KeyedValue } from './redaction/lexicon.js';
export type { RedactionStream } from './redaction/redaction-stream.js';
export { createRedactor, MARK, type Redactor } from './redaction/redactor.js';
export { Secret } from './redaction/secret.js';
export {
  type CredentialFault,
  type CredentialReference,
  readCredentialReference,
} from './secrets/credential-reference.js';
export { type CredentialMeans, openCredential, SecretNotSet } from './secrets/credentials.js';
export { OpenedSecrets, type SecretResolver } from './secrets/opened-secrets.js';
export { neededSecrets, type SecretsFault, secretsFault, wrongReferences } from './secrets/run-secrets.js';
export type { ArtifactReader } from './staging/artifacts.js';
export { buildTask, type TaskDocument } from './task/task-document.js';
export type { ArgumentBounds, ArgumentChecks, DefinedArguments } from './tools/argument-checks.js';
export { ToolCatalog, ToolCatalogError } from './tools/catalog.js';
export { buildSurface, type Surface } from './tools/surface.js';
export {
  needsVerifier,
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
