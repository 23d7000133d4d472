import type { Aggregation, Judge, JudgeKind } from '@agentclash/challengepack';
import { mean, median, squaredDeviations } from '../statistics/sample.js';
import { isAtLeast, SCORE_SLACK } from '../tolerance.js';
import type { JudgeConfidence } from './types.js';

/** The planned samples of one model; null for a sample without a score. */
export interface ModelScores {
  readonly model: string;
  readonly scores: readonly (number | null)[];
}

interface SampleAggregate {
  readonly state: 'scored' | 'unavailable';
  readonly score: number | null;
  readonly reason: 'no_scored_sample' | null;
  readonly confidence: JudgeConfidence | null;
  readonly variance: number | null;
  readonly model_scores: Readonly<Record<string, number | null>>;
  readonly warnings: readonly 'disagreement'[];
}

const HALF = 0.5;

const OVER_MODELS: { readonly [A in Aggregation]: (scores: readonly number[]) => number | null } = {
  median,
  mean,
  majority_vote: (scores) => asVote(mean(scores)),
  unanimous: (scores) => (scores.every((score) => isAtLeast(score, HALF)) ? 1 : 0),
};

/** A judge's samples into one score: first per model, then over the models. */
export function aggregateSamples(
  { mode, consensus }: Pick<Judge, 'mode' | 'consensus'>,
  models: readonly ModelScores[],
): SampleAggregate {
  const byModel = models.map(({ model, scores }) => ({ model, score: modelScore(mode, scores) }));
  const modelScores = byModel.flatMap(({ score }) => score ?? []);
  const samples = models.flatMap(({ scores }) => scores);
  const scored = samples.flatMap((score) => score ?? []);
  const score = OVER_MODELS[consensus?.aggregation ?? 'median'](modelScores);
  const center = mean(scored);
  const model_scores = Object.fromEntries(byModel.map((row) => [row.model, row.score]));
  if (score === null || center === null) return { ...NOTHING_SCORED, model_scores };
  const spread = Math.max(...modelScores) - Math.min(...modelScores);
  const disagrees = consensus !== undefined && !isAtLeast(consensus.min_agreement_threshold, spread);
  return {
    state: 'scored',
    score,
    reason: null,
    confidence: confidenceOf({
      isWhole: scored.length === samples.length,
      disagrees,
      spread,
      models: models.length,
    }),
    variance: squaredDeviations(scored, center) / scored.length,
    model_scores,
    warnings: disagrees && consensus.flag_on_disagreement ? ['disagreement'] : [],
  };
}

const NOTHING_SCORED = {
  state: 'unavailable',
  score: null,
  reason: 'no_scored_sample',
  confidence: null,
  variance: null,
  warnings: [],
} as const;

function modelScore(mode: JudgeKind, scores: readonly (number | null)[]): number | null {
  const scored = scores.flatMap((score) => score ?? []);
  return mode === 'assertion' ? asVote(mean(scored)) : median(scored);
}

function asVote(share: number | null): number | null {
  return share === null ? null : Number(isAtLeast(share, HALF));
}

interface Certainty {
  /** True when every planned sample has a score. */
  readonly isWhole: boolean;
  readonly disagrees: boolean;
  readonly spread: number;
  readonly models: number;
}

function confidenceOf({ isWhole, disagrees, spread, models }: Certainty): JudgeConfidence {
  if (!isWhole || disagrees) return 'low';
  if (models === 1) return 'single_model';
  return spread <= SCORE_SLACK ? 'high' : 'medium';
}
