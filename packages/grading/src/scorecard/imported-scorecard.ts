import type { EvaluationSpec } from '@agentclash/challengepack';
import { isGraded } from '@agentclash/domain';
import { NOT_IMPORTED } from '../evidence/imported.js';
import type { AttemptEvidence, ImportedScore, ImportedScores } from '../evidence/types.js';
import type { JudgeResult } from '../judges/types.js';
import type { MetricResult } from '../metrics/types.js';
import type { ValidatorOutcome, ValidatorResult } from '../validators/result.js';
import { isApplicable } from '../validators/score-validators.js';
import { buildScorecard } from './build-scorecard.js';
import { type DimensionScore, missing } from './dimension-sources.js';
import type { Scorecard } from './types.js';

/**
 * The scorecard of an attempt that was scored elsewhere: recorded scores under the keys of the spec, combined by the
 * strategy of the spec. What was not recorded is missing; keys that the spec does not have are ignored.
 */
export function importedScorecard(
  spec: EvaluationSpec,
  evidence: AttemptEvidence,
  scores: ImportedScores,
): Scorecard {
  const isMissing = !isGraded(evidence.attempt.outcome);
  return buildScorecard(spec.scorecard, {
    dimensions: spec.scorecard.dimensions.map((dimension) => ({
      dimension,
      score: isMissing
        ? missing('unavailable', 'attempt_not_graded')
        : dimensionScore(own(scores.dimensions, dimension.key)),
    })),
    validators: spec.validators
      .filter((validator) => isApplicable(validator, evidence))
      .map(({ key, type }) => validatorResult({ key, type }, own(scores.validators, key))),
    metrics: spec.metrics.map((metric): MetricResult => {
      const value = own(scores.metrics, metric.key) ?? null;
      return {
        ...{ key: metric.key, type: metric.type, collector: metric.collector, unit: metric.unit ?? null },
        ...(value === null
          ? { state: 'unavailable', value, reason: NOT_IMPORTED }
          : { state: 'available', value, reason: null }),
      };
    }),
    judges: spec.llm_judges.map(({ key, mode }) => judgeResult({ key, mode }, own(scores.judges, key))),
    cost_usd: null,
  });
}

function own<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function dimensionScore(recorded: ImportedScores['dimensions'][string] | undefined): DimensionScore {
  if (recorded === undefined) return missing('unavailable', NOT_IMPORTED);
  const { score, reason, raw } = recorded;
  if (recorded.state === 'available' && score !== null) return { state: 'available', score, reason, raw };
  return missing(recorded.state === 'error' ? 'error' : 'unavailable', reason ?? NOT_IMPORTED);
}

const OUTCOMES: Readonly<Record<'pass' | 'fail', ValidatorOutcome>> = {
  pass: 'agent_pass',
  fail: 'agent_fail',
};

function validatorResult(
  validator: Pick<ValidatorResult, 'key' | 'type'>,
  recorded: ImportedScores['validators'][string] | undefined,
): ValidatorResult {
  const { verdict = null, reason = NOT_IMPORTED } = recorded ?? {};
  if (verdict === null || recorded === undefined || stateOf(recorded) !== 'scored') {
    const state = recorded?.state === 'error' ? 'error' : 'unavailable';
    const outcome = state === 'error' ? 'evaluator_error' : 'evidence_missing';
    return { ...validator, state, verdict: null, score: null, reason, outcome, evidence: null };
  }
  const score = recorded.score ?? (verdict === 'pass' ? 1 : 0);
  return {
    ...validator,
    state: 'scored',
    verdict,
    score,
    reason,
    outcome: OUTCOMES[verdict],
    evidence: null,
  };
}

function judgeResult(
  judge: Pick<JudgeResult, 'key' | 'mode'>,
  recorded: ImportedScore | undefined,
): JudgeResult {
  const state = recorded === undefined ? 'unavailable' : stateOf(recorded);
  return {
    ...judge,
    state,
    score: state === 'scored' ? (recorded?.score ?? null) : null,
    reason: recorded === undefined ? NOT_IMPORTED : recorded.reason,
    ...{ confidence: null, variance: null, model_scores: {} },
    ...{ planned: 0, scored: 0, abstained: 0, errored: 0, warnings: [], samples: [] },
  };
}

function stateOf({ state, score }: ImportedScore): 'scored' | 'unavailable' | 'error' {
  if (state === 'error' || state === 'unavailable') return state;
  return score === null ? 'unavailable' : 'scored';
}
