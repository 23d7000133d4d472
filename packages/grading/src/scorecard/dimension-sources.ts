import type {
  Dimension,
  DimensionSource,
  Direction,
  EvaluationSpec,
  Normalization,
  ValidatorScoring,
} from '@agentclash/challengepack';
import { behavioralPanel } from '../behavior/panel.js';
import { NOT_IMPORTED } from '../evidence/imported.js';
import type { AttemptEvidence } from '../evidence/types.js';
import type { JudgeResult } from '../judges/types.js';
import { COLLECT, type MetricEvidence } from '../metrics/collectors.js';
import type { Measurement, MetricResult } from '../metrics/types.js';
import { mean } from '../statistics/sample.js';
import type { ValidatorResult } from '../validators/result.js';
import type { DimensionState, RawValue } from './types.js';

/** All that dimensions are computed from. Dimensions never read each other. */
export interface DimensionInputs {
  readonly behavioral: EvaluationSpec['behavioral'];
  readonly attempt: AttemptEvidence['attempt'];
  readonly votes: AttemptEvidence['votes'];
  readonly validators: readonly ValidatorResult[];
  readonly metrics: readonly MetricResult[];
  readonly judges: readonly JudgeResult[];
  readonly measured: MetricEvidence;
}

export interface DimensionScore {
  readonly state: DimensionState;
  readonly score: number | null;
  readonly reason: string | null;
  readonly raw: RawValue | null;
}

type Source = (dimension: Dimension, inputs: DimensionInputs) => DimensionScore;

export const SOURCES: { readonly [S in DimensionSource]: Source } = {
  validators: ({ validators, scoring }, inputs) =>
    validatorsMean(
      validators.length === 0
        ? inputs.validators
        : inputs.validators.filter(({ key }) => validators.includes(key)),
      scoring,
    ),
  report: (dimension, { validators }) => {
    const validator = validators.find(({ key }) => key === dimension.validator);
    if (validator === undefined) return missing('unavailable', 'no_validators');
    if (validator.state === 'error') return missing('error', 'validator_error');
    if (validator.state === 'unavailable') return missing('unavailable', 'validator_unavailable');
    const { metrics = {}, metrics_reason } = validator;
    const { metric = '' } = dimension;
    if (Object.hasOwn(metrics, metric)) return available(metrics[metric] ?? 0);
    return available(0, metrics_reason ?? 'metric_missing');
  },
  metric: (dimension, { metrics }) => {
    const metric = metrics.find(({ key }) => key === dimension.metric);
    if (metric === undefined) return missing('error', 'unknown_metric');
    return normalized(dimension, metric, metric.unit);
  },
  latency: (dimension, { measured }) => normalized(dimension, COLLECT.run_total_latency_ms(measured), 'ms'),
  cost: (dimension, { measured }) => normalized(dimension, COLLECT.run_model_cost_usd(measured), 'usd'),
  reliability: (_, { attempt, measured }) => {
    const { calls } = measured.behavior;
    if (attempt.outcome !== 'completed') return available(0, 'not_completed');
    if (measured.isTraced === false) return missing('unavailable', NOT_IMPORTED);
    return available(calls.length === 0 ? 1 : 1 - calls.filter(({ failed }) => failed).length / calls.length);
  },
  behavioral: (_, { behavioral, measured }) => {
    if (behavioral === undefined) return missing('error', 'no_signals');
    if (measured.isTraced === false) return missing('unavailable', NOT_IMPORTED);
    return { ...behavioralPanel(behavioral, measured.behavior), raw: null };
  },
  llm_judge: (dimension, { judges }) => {
    const judge = judges.find(({ key }) => key === dimension.judge_key);
    if (judge === undefined) return missing('error', 'unknown_judge');
    if (judge.state === 'scored' && judge.score !== null) return available(judge.score, judge.reason);
    return missing(judge.state === 'error' ? 'error' : 'unavailable', judge.reason ?? 'no_judge_score');
  },
  human_preference: (_, { votes }) =>
    votes === undefined || votes.votes === 0
      ? missing('unavailable', 'no_votes')
      : available(votes.wins / votes.votes),
};

function validatorsMean(
  validators: readonly ValidatorResult[],
  scoring: ValidatorScoring = 'scores',
): DimensionScore {
  const error = validators.find(({ state }) => state === 'error');
  if (error !== undefined) return missing('error', 'validator_error');
  if (validators.some(({ state }) => state === 'unavailable')) {
    return missing('unavailable', 'validator_unavailable');
  }
  const scores = validators.map(({ score, verdict }) =>
    scoring === 'scores' ? (score ?? 0) : verdict === 'pass' ? 1 : 0,
  );
  const score = mean(scores);
  return score === null ? missing('unavailable', 'no_validators') : available(score);
}

function normalized(
  { normalization, better_direction }: Dimension,
  { value, reason }: Pick<Measurement, 'value' | 'reason'>,
  unit: string | null,
): DimensionScore {
  if (value === null) return missing('unavailable', reason ?? 'unmeasured');
  if (normalization === undefined) return missing('error', 'no_normalization');
  const raw = Number(value);
  return { ...available(normalizeScore(raw, normalization, better_direction)), raw: { value: raw, unit } };
}

function available(score: number, reason: string | null = null): DimensionScore {
  return { state: 'available', score, reason, raw: null };
}

export function missing(state: 'unavailable' | 'error', reason: string): DimensionScore {
  return { state, score: null, reason, raw: null };
}

/** A measured value as a score: 1 at the target or better, 0 at `max` or worse, a straight line between. */
export function normalizeScore(value: number, { target, max }: Normalization, direction: Direction): number {
  const isBetter = direction === 'lower' ? value <= target : value >= target;
  if (isBetter) return 1;
  const isWorse = direction === 'lower' ? value >= max : value <= max;
  if (isWorse) return 0;
  return direction === 'lower' ? 1 - (value - target) / (max - target) : (value - max) / (target - max);
}
