export { type AttemptSummary, summarizeAttempt } from './aggregate/attempt-facts.js';
export { lacksEvidence } from './aggregate/cases.js';
export { aggregateRunAgent } from './aggregate/run-agent.js';
export type * from './aggregate/types.js';
export { compareRunAgents, resolveRunAgent } from './comparison/compare.js';
export type * from './comparison/types.js';
export { compareVariants } from './comparison/variants.js';
export {
  type ArtifactTexts,
  assetsInScope,
  assetsWithText,
  caseEvidence,
  type StoredCaseView,
} from './evidence/case-evidence.js';
export { finalOutput } from './evidence/resolve.js';
export type { AttemptEvidence, ImportedScores, RecordedEnd, Votes } from './evidence/types.js';
export { classifyFailure, failureClusterKey } from './failures/classify.js';
export { failedAttempt } from './failures/failed-attempt.js';
export { packErrorOf } from './failures/pack-error.js';
export type * from './failures/types.js';
export { evaluateGate } from './gates/evaluate.js';
export { type GateSubject, gateEvidence } from './gates/evidence.js';
export { evaluateMinimums, type Minimums, type MinimumsResult } from './gates/minimums.js';
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
export { judgeCacheKey, promptHash } from './judges/cache-key.js';
export { type JudgeInput, judgeInput } from './judges/input.js';
export { judgeResults } from './judges/judge-result.js';
export { candidateLabel, nWiseOrder, rankingShare } from './judges/n-wise.js';
export { nWiseField, plannedSamples } from './judges/plan.js';
export { type JudgeMessage, judgeMessages } from './judges/prompt.js';
export { type ReplyReading, type ReplyRules, replyReader } from './judges/reply.js';
export type * from './judges/types.js';
export type * from './metrics/types.js';
export { blockValue } from './race/block.js';
export { discordanceOf, type PlanOptions, pairCount, planRace, type RacePlan } from './race/plan.js';
export { SequentialRace } from './race/race.js';
export type * from './race/types.js';
export type * from './ranking/ranking.js';
export { rankRunAgents } from './ranking/ranking.js';
export { type PairItem, pairAgreement } from './review/pair-agreement.js';
export { type SingleItem, singleAgreement } from './review/single-agreement.js';
export type * from './review/types.js';
export { composeScorecard, type SecurityInput } from './scorecard/compose-scorecard.js';
export { type ScoringHashes, scoringHashes } from './scorecard/revision.js';
export { scoreAttempt } from './scorecard/score-attempt.js';
export type * from './scorecard/types.js';
export { type PlantedValue, plantedValueForms } from './security/secret-forms.js';
export type * from './security/types.js';
export { ConfidenceSequence } from './sequential/confidence-sequence.js';
export { estimateLane, type LaneEstimate } from './sequential/lane-sequence.js';
export type { ValidatorResult } from './validators/result.js';
export { isApplicable, overrunResult, scoreValidators } from './validators/score-validators.js';
export { testRunScore } from './validators/test-run-score.js';
