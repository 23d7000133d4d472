import {
  compareCodePoints,
  type Dimension,
  type Scorecard as ScorecardSpec,
} from '@agentclash/challengepack';
import type { JudgeResult } from '../judges/types.js';
import type { MetricResult } from '../metrics/types.js';
import type { ValidatorResult } from '../validators/result.js';
import type { DimensionScore } from './dimension-sources.js';
import { holds, STRATEGY_RULES, type WeighedDimension } from './strategies.js';
import type { DimensionResult, Scorecard, ScorecardStatus, Validity } from './types.js';

/** A declared dimension with what it scored. */
interface ScoredDimension {
  readonly dimension: Dimension;
  readonly score: DimensionScore;
}

/** The parts of a scorecard, each in declaration order. */
interface ScorecardParts {
  readonly dimensions: readonly ScoredDimension[];
  readonly validators: readonly ValidatorResult[];
  readonly metrics: readonly MetricResult[];
  readonly judges: readonly JudgeResult[];
  /** Model cost of the attempt, null when unknown. */
  readonly cost_usd: number | null;
}

/** Combines scored dimensions by the strategy, and states how far the result can be trusted. */
export function buildScorecard(
  { strategy, pass_threshold }: Pick<ScorecardSpec, 'strategy' | 'pass_threshold'>,
  parts: ScorecardParts,
): Scorecard {
  const { overall, passed, reason, contributions } = STRATEGY_RULES[strategy]({
    dimensions: parts.dimensions.map(weigh),
    pass_threshold,
  });
  const dimensions = parts.dimensions.map((scored, index): DimensionResult => {
    const { key, source, weight, gate, pass_threshold: bar } = scored.dimension;
    const isGate = gate || strategy === 'binary';
    return {
      key,
      source,
      ...scored.score,
      weight,
      gate,
      pass_threshold: bar ?? null,
      gate_passed: isGate ? holds(weigh(scored)) : null,
      contribution: contributions[index] ?? null,
    };
  });
  return {
    strategy,
    overall,
    passed,
    reason,
    validity: validityOf(dimensions, parts),
    status: statusOf(dimensions),
    dimensions,
    validators: parts.validators,
    metrics: parts.metrics,
    judges: parts.judges,
    warnings: warningsOf(parts.judges),
    cost_per_correct_usd: costPerCorrect(parts),
  };
}

/** To a strategy, a dimension in error is as good as unavailable. */
function weigh({ dimension: { weight, gate, pass_threshold }, score }: ScoredDimension): WeighedDimension {
  return { weight, gate, pass_threshold: pass_threshold ?? null, score: score.score };
}

function validityOf(dimensions: readonly DimensionResult[], parts: ScorecardParts): Validity {
  const states = [dimensions, parts.validators, parts.metrics, parts.judges].flatMap((results) =>
    results.map(({ state }): string => state),
  );
  const isSomeAvailable = dimensions.some(({ state }) => state === 'available');
  if (states.includes('error') || !isSomeAvailable) return 'invalid';
  return states.includes('unavailable') ? 'degraded' : 'valid';
}

function statusOf(dimensions: readonly DimensionResult[]): ScorecardStatus {
  return dimensions.every(({ state }) => state === 'available') ? 'complete' : 'partial';
}

function warningsOf(judges: readonly JudgeResult[]): string[] {
  return judges
    .flatMap(({ key, warnings }) => warnings.map((warning) => `${warning}:${key}`))
    .sort(compareCodePoints);
}

function costPerCorrect({ cost_usd, validators }: ScorecardParts): number | null {
  const correct = validators.filter(({ verdict }) => verdict === 'pass').length;
  return cost_usd === null || correct === 0 ? null : cost_usd / correct;
}
