export { type AttemptSummary, summarizeAttempt } from './aggregate/attempt-facts.js';
export { aggregateRunAgent, type RunAgentInput } from './aggregate/run-agent.js';
export type * from './aggregate/types.js';
export {
  type ComparisonOptions,
  type ComparisonPair,
  compareRunAgents,
  resolveRunAgent,
} from './comparison/compare.js';
export type * from './comparison/types.js';
export { compareVariants, type VariantComparison } from './comparison/variants.js';
export type { Resolution } from './evidence/resolve.js';
export type { FinishedToolCall } from './evidence/tool-trace.js';
export type {
  AttemptEvidence,
  EvidenceEvent,
  RecordedEnd,
  Votes,
} from './evidence/types.js';
export { classifyFailure, failureClusterKey } from './failures/classify.js';
export { failedAttempt } from './failures/failed-attempt.js';
export { packErrorOf } from './failures/pack-error.js';
export type * from './failures/types.js';
export { evaluateGate } from './gates/evaluate.js';
export { type GateSubject, type GateSubjects, gateEvidence } from './gates/evidence.js';
export { BUILT_IN_POLICY, completePolicy, gatePolicyFingerprint } from './gates/policy.js';
export type * from './gates/types.js';
export { judgeAgreement, type RatedUnit, ratedUnit } from './judges/agreement.js';
export {
  type Charge,
  JUDGE_OUTPUT_TOKENS_MAX,
  JudgeBudget,
  sharedCharge,
  worstCase,
} from './judges/budget.js';
export { type JudgeRequest, judgeCacheKey, promptHash } from './judges/cache-key.js';
export { type JudgeInput, judgeInput } from './judges/input.js';
export { type JudgingOptions, judgeResults } from './judges/judge-result.js';
export { candidateLabel, type NWiseRound, nWiseOrder, rankingShare } from './judges/n-wise.js';
export { type NWiseAgent, type NWiseField, nWiseField, plannedSamples } from './judges/plan.js';
export {
  type JudgeCandidate,
  type JudgeMaterial,
  type JudgeMessage,
  type JudgeText,
  judgeMessages,
} from './judges/prompt.js';
export { type ReplyErrorCode, type ReplyReading, type ReplyRules, replyReader } from './judges/reply.js';
export type * from './judges/types.js';
export type * from './metrics/types.js';
export type * from './ranking/ranking.js';
export { type RankedScorecard, rankRunAgents } from './ranking/ranking.js';
export { composeScorecard, type Findings, type SecurityInput } from './scorecard/compose-scorecard.js';
export { type ScoringHashes, scoringHashes } from './scorecard/revision.js';
export { type ScoringInput, scoreAttempt } from './scorecard/score-attempt.js';
export type * from './scorecard/types.js';
export type { SecurityEvidence } from './security/incidents.js';
export { type PlantedValue, plantedValueForms } from './security/secret-forms.js';
export type * from './security/types.js';
export type { Estimate, ScoreEstimate } from './statistics/sample.js';
export type {
  EvidencePointer,
  ValidatorOutcome,
  ValidatorResult,
  ValidatorState,
  ValidatorVerdict,
} from './validators/result.js';
export { overrunResult, type ScoringHooks, scoreValidators } from './validators/score-validators.js';
