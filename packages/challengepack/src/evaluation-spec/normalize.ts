import type {
  DimensionDraft,
  JudgeDraft,
  NormalizationDraft,
  ScorecardDraft,
  SpecDraft,
} from './authored.js';
import type { DimensionSource } from './types.js';

/** The source of a dimension that names none, inferred from its key. */
const SOURCE_BY_KEY: ReadonlyMap<string, DimensionSource> = new Map([
  ['correctness', 'validators'],
  ['reliability', 'reliability'],
  ['latency', 'latency'],
  ['cost', 'cost'],
  ['behavioral', 'behavioral'],
]);

/** Expands what the author may write short. Doing it twice changes nothing more. */
export function normalizeSpec(spec: SpecDraft): SpecDraft {
  const normalized = { ...spec };
  if (spec.llm_judges) normalized.llm_judges = spec.llm_judges.map((judge) => judge && normalizeJudge(judge));
  if (spec.scorecard) normalized.scorecard = normalizeScorecard(spec.scorecard, spec);
  return normalized;
}

/** 0 samples mean the default. */
function normalizeJudge(judge: JudgeDraft): JudgeDraft {
  if (judge.samples !== 0) return judge;
  const { samples, ...rest } = judge;
  return rest;
}

function normalizeScorecard(scorecard: ScorecardDraft, spec: SpecDraft): ScorecardDraft {
  if (scorecard.dimensions === undefined) return scorecard;
  const dimensions = scorecard.dimensions.map((dimension) => dimension && expandDimension(dimension, spec));
  return { ...scorecard, dimensions };
}

function expandDimension(dimension: DimensionDraft, spec: SpecDraft): DimensionDraft {
  if (dimension.source !== undefined || dimension.key === undefined) return dimension;
  const source = SOURCE_BY_KEY.get(dimension.key);
  if (source === undefined) return dimension;
  const normalization = dimension.normalization ?? olderBounds(source, spec);
  return { ...dimension, source, ...(normalization && { normalization }) };
}

/** The bounds that the scorecard's older block gives latency or cost; a limit of the run replaces a missing end. */
function olderBounds(source: DimensionSource, spec: SpecDraft): NormalizationDraft | undefined {
  const { latency, cost } = spec.scorecard?.normalization ?? {};
  const limits = spec.runtime_limits;
  if (source === 'latency' && latency) {
    return bounds(latency.target_ms, latency.max_ms ?? limits?.max_duration_ms);
  }
  if (source === 'cost' && cost) return bounds(cost.target_usd, cost.max_usd ?? limits?.max_cost_usd);
  return undefined;
}

function bounds(target: number | undefined, max: number | undefined): NormalizationDraft {
  return { ...(target !== undefined && { target }), ...(max !== undefined && { max }) };
}
