export {
  Artifact,
  Attempt,
  type AuditCertificate,
  type AuditFinding,
  AwaitedTurn,
  addSweepCounts,
  Baseline,
  Deployment,
  DeploymentSpec,
  ERRORS,
  type ErrorCode,
  EvalPlan,
  EvalPlanRequest,
  Failure,
  GateDecision,
  GatePolicy,
  GatePolicySpec,
  type GatePreview,
  HistoryEvent,
  HumanTurnRequest,
  IMPORTED_ATTEMPTS_MAX,
  ImportedAttempt,
  InputSet,
  KeyRingStatus,
  LaneComparison,
  type ListedPrice,
  type LiveEvent,
  MeasureComparison,
  ModelAlias,
  ModelAliasSpec,
  membersAt,
  type NextReviewItem,
  Pack,
  type PackAudit,
  type PackAuditDetails,
  PackVersion,
  type Page,
  Problem,
  Progress,
  ProviderAccount,
  ProviderAccountRequest,
  ProviderAccountSpec,
  Published,
  protocolProblem,
  type RaceComparison,
  RankingEntry,
  RecordedEvent,
  Rescore,
  RetryRequest,
  type Review,
  type ReviewAgreement,
  type ReviewItem,
  type ReviewOutput,
  type ReviewQueue,
  type ReviewQueueRequest,
  type ReviewSpec,
  Run,
  RunAgent,
  RunComparison,
  RunEdit,
  RunImportRequest,
  RunRequest,
  RuntimeProfile,
  RuntimeProfileSpec,
  type ScorecardReply,
  SecretMetadata,
  StoredCase,
  StoredComparison,
  skillsProblem,
  Tool,
  ToolSpec,
  type TranscriptMatch,
  Validation,
  VariantComparison,
  Webhook,
  WebhookDelivery,
  WebhookSpec,
} from '@agentclash/contracts';
export { ApiError, exitCodeOf, type ProblemDocument } from './api-error.js';
export { auditInWords } from './audit-words.js';
export type { CallArguments, CallOptions } from './call.js';
export { type Client, createClient } from './client.js';
export {
  Compared,
  comparedSentence,
  expectedPhrase,
  firstDifference,
  isEquality,
} from './compared.js';
export { distinctMatches } from './distinct-matches.js';
export {
  GATE_REQUIREMENTS,
  gateNotesInWords,
  gateReasonsInWords,
  isUnpaired,
  limitsOf,
  reasonInWords,
} from './gate-words.js';
export {
  casesMissing,
  isAdjusted,
  measuresOf,
  type NamedMeasure,
  roundedP,
  shownInterval,
  verdictText,
} from './measures.js';
export { openApiDocument } from './openapi.js';
export { discordanceInWords, plannedRaces } from './plan-words.js';
export { pricesInWords } from './price-words.js';
export {
  comparedRaceLine,
  comparedRaceLines,
  comparedVerdictInWords,
} from './race/compared-race.js';
export {
  Lane,
  type LaneAgent,
  type LaneHalt,
  type LiveAttempt,
  type RaceSnapshot,
} from './race/lane.js';
export {
  BASELINE_NAME,
  casesUsed,
  type Elimination,
  eliminationsOf,
  hasVerdict,
  type PairMeter,
  pairMeters,
  type RunRace,
} from './race/pairs.js';
export { elapsedMs, etaMs, Race } from './race/race.js';
export {
  budgetInWords,
  differenceInWords,
  eliminationInWords,
  haltInWords,
  inUsd,
  isWholeRace,
  pairInWords,
  type RaceState,
  raceLine,
  racePromises,
  raceStateOf,
  savingsInWords,
  stopWhenInWords,
} from './race/race-words.js';
export {
  costText,
  knownCost,
  type LaneSpending,
  laneSpending,
  type Savings,
  savedText,
  savingsOf,
} from './race/savings.js';
export type { AttemptUpdate, HaltUpdate, RaceUpdate } from './race/updates.js';
export { rankingLines, verdictReasonInWords } from './ranking-words.js';
export { REFERENCE_STYLE, referencePage } from './reference-page.js';
export { endedBy, LONG_STEP_TYPES, Replay } from './replay/replay.js';
export { cutStep } from './replay/step-cuts.js';
export { ARTIFACT_BYTES_MAX } from './routes/artifacts.js';
export { ReplayCut, ReplayStep } from './routes/attempts.js';
export { queryValues } from './routes/query-values.js';
export * from './routes/route.js';
export { routes } from './routes/routes.js';
export { EXPORT_FORMATS, type ExportFormat } from './routes/runs.js';
export { SecretValue } from './routes/secrets.js';
export { BrowserSession, SESSION_HOURS_MAX } from './routes/sessions.js';
export { RunShare, SHARE_PATH } from './routes/shares.js';
export { ExchangedToken, Token } from './routes/tokens.js';
export { Whoami, Workspace } from './routes/workspaces.js';
export { repeatRequest } from './run-again.js';
export {
  caseShareLine,
  caseSubsetLine,
  draftLine,
  missingAttemptsLines,
  missingShareInWords,
  packErrorLines,
  servedRepliesLine,
} from './run-notes.js';
export { leadersOf, type NamedRun, runArgument, runHandle, runTitle } from './run-words.js';
export {
  signedPoints,
  variantFigures,
  variantVerdictInWords,
  variantVerdictText,
} from './variant-words.js';
