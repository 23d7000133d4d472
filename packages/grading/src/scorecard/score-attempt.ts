import type { EvaluationSpec } from '@agentclash/challengepack';
import type { AttemptEvidence } from '../evidence/types.js';
import { judgeResults } from '../judges/judge-result.js';
import type { JudgeRecord } from '../judges/types.js';
import { type ScoringHooks, scoreValidators } from '../validators/score-validators.js';
import { composeScorecard, type SecurityInput } from './compose-scorecard.js';
import type { Scorecard } from './types.js';

/** The context of an attempt besides its own evidence. */
export interface ScoringInput {
  /** The judge records of the attempt. A judge without a record is unavailable where it had to be called. */
  readonly judge_records?: readonly JudgeRecord[];
  readonly security?: SecurityInput | undefined;
}

/** Scores an attempt from spec and evidence alone: the same input gives the same RFC 8785 text. */
export function scoreAttempt(
  spec: EvaluationSpec,
  evidence: AttemptEvidence,
  { judge_records = [], security, ...hooks }: ScoringInput & ScoringHooks = {},
): Scorecard {
  const limits = spec.scorecard.judge_limits;
  return composeScorecard(spec, evidence, {
    validators: scoreValidators(spec, evidence, hooks),
    judges: judgeResults(spec.llm_judges, { limits, evidence, records: judge_records }),
    security,
  });
}
