export type { MinimumsResult } from '@agentclash/grading';
export {
  type ComparedRuns,
  type ComparisonChoice,
  compareRuns,
  type Sides,
} from './comparison/compare-runs.js';
export { type ComparedRun, isStoppedEarly, namedAgent } from './comparison/compared-run.js';
export { decideByMinimums, decideGate, gatePolicyOf } from './comparison/decide-gate.js';
export type { Contract } from './contract.js';
export { gradedResult, publishedScore } from './grading/attempt-result.js';
export { GRADING_TIMES, Grader, type GraderLimits } from './grading/grader.js';
export { AttemptJudging } from './judging/attempt-judging.js';
export { type JudgeSamples, type StoredSample, sampleKey } from './judging/judge-samples.js';
export { type JudgeModels, JudgeSampling } from './judging/judge-sampling.js';
export type { Field, FieldAttempt, JudgedAttempt } from './judging/judged-attempt.js';
export { type JudgeModel, openJudgeModel } from './judging/open-judge-model.js';
export type { Question } from './judging/questions.js';
export { type AgentAggregate, AgentFold, type StoredAttemptScorecard } from './runs/agent-aggregate.js';
export {
  type AttemptView,
  evidenceTier,
  type FailureCluster,
  failureClusters,
} from './runs/failure-clusters.js';
export { sha256Of } from './runs/hash.js';
export { type AggregatedAgent, type RankedRun, rankRun } from './runs/rank-run.js';
export { securityInput } from './workspaces/security-input.js';
export { SEARCH_LIMITS, type SearchLimits, WorkspaceSearch } from './workspaces/workspace-search.js';
