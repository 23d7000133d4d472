export * from './access.js';
export * from './agent-config.js';
export type * from './attempt-result.js';
export {
  ATTEMPT_MOVES,
  ATTEMPT_STATES,
  type AttemptState,
  canAttemptMove,
  isHeld,
  isOver,
} from './attempt-state.js';
export { readCredentialReference } from './credential-reference.js';
export { type BaseImage, baseImages, DOCKERFILE_CHARACTERS_MAX, replaceBaseImages } from './dockerfile.js';
export { BASE64_URL, base64Span, ENCODED_LENGTH_MIN, JSON_ESCAPES } from './encoded-forms.js';
export {
  ACTORS,
  type Actor,
  type AttemptEvent,
  type AwaitedTurn,
  type EventPayloads,
  type EventSummary,
  type ExpectationOutcome,
  type FailureOrigin,
  type OrchestratorEventPayloads,
  type PayloadOf,
  type ResolutionHop,
  type RunEnd,
  type SandboxOrigin,
  type StepName,
  type StepPayload,
  type StopReason,
  type ToolLayer,
  TURN_EXPECTATION_KINDS,
  type TurnExpectationKind,
} from './event-payloads.js';
export {
  type Activity,
  activityEventOf,
  activityKey,
  type EndOf,
  EVENT_PAIRS,
  EVENT_SOURCES,
  type EventSource,
  type EvidenceLevel,
  type ExecutionEventType,
  endsOf,
  IMPORT_FORMATS,
  IMPORT_GRADINGS,
  type ImportFormat,
  LIVE_EVENT_TYPE,
  type RunEventType,
  type StartOf,
} from './events.js';
export { EXIT_CODES, type ExitCode, type ExitName, SERVICE_EXIT_CODES } from './exit-codes.js';
export { formatBytes } from './format-bytes.js';
export * from './gate-policy.js';
export {
  type CodeExecuted,
  type CollectedReport,
  REPORT_STATES,
  type ReportState,
  type ScriptExecuted,
} from './grader-records.js';
export {
  INTERRUPTED_ENDS,
  type InnerActivity,
  type Interruption,
  isInnerActivity,
} from './interruptions.js';
export { jitter } from './jitter.js';
export type { JsonObject, JsonValue } from './json.js';
export { jsonDepth } from './json-depth.js';
export * from './mcp-server.js';
export type * from './missing-attempts.js';
export {
  type CallTiming,
  DELTA_KINDS,
  type DeltaKind,
  type FinishReason,
  MODEL_CALL_MODES,
  type ModelCallMode,
  NO_USAGE,
  type RecordedCall,
  type RecordedMessage,
  type RecordedReply,
  type Usage,
} from './model-call.js';
export {
  type FinishedBy,
  isGraded,
  isPlatformOutcome,
  LIMIT_KINDS,
  type LimitKind,
  OUTCOMES,
  type Outcome,
  SLOT_OUTCOMES,
  type SlotOutcome,
} from './outcome.js';
export * from './pack.js';
export * from './pack-audit.js';
export type * from './pack-error.js';
export { type PackToolSummary, packToolsOf } from './pack-tools.js';
export {
  isRecord,
  listOf,
  numberIn,
  numberOf,
  type Payload,
  recordIn,
  recordOf,
  recordsIn,
  textIn,
  textOf,
  textsIn,
  tokensIn,
} from './payload.js';
export * from './peer-progress.js';
export {
  failedCallText,
  listedServerText,
  refusedCallText,
  restrictedCallText,
} from './program-call-texts.js';
export {
  BASE_URLS,
  PROVIDER_KEYS,
  PROVIDER_SPELLINGS,
  type ProviderKey,
  providerKeyOf,
} from './provider-key.js';
export * from './race.js';
export {
  ARTIFACT_PREFIX,
  INPUT_PREFIX,
  payloadReference,
  referencedSha256,
  SECRET_SCHEME,
} from './references.js';
export { repeatedKey } from './repeated-key.js';
export {
  type Divergence,
  divergenceIn,
  divergenceText,
  hasDiverged,
  REPLAY_DIVERGED,
  type RequestDifference,
} from './replay-difference.js';
export * from './requests.js';
export {
  canRepeat,
  canRunMove,
  endOfScoring,
  hasRunEnded,
  isRanked,
  RANKED_STATUSES,
  RUN_MOVES,
  RUN_STATUSES,
  type RunStatus,
  SCORING_STATES,
  type ScoringState,
  startsAttempts,
} from './run-status.js';
export type { AgentInput, AgentTool, AttemptLimits, TaskDocument, Utterance } from './task-document.js';
export { findText, REPEATED_EVENTS } from './text-match.js';
export * from './webhooks.js';
export { WIRE_KEYS, WIRES_OF_PROVIDER, type WireKey } from './wires.js';
export * from './workspace-tool.js';
