import type { CollectorName, MetricType } from './collectors.js';
import type { ValidatorConfigs, ValidatorType } from './validator-configs.js';

/**
 * The scoring contract of a version as scoring reads it: strings trimmed, defaults filled in, short and older spellings
 * turned into one. A manifest keeps the compact form; `readEvaluationSpec` makes this one of it.
 */
export interface EvaluationSpec {
  name: string;
  version_number: number;
  judge_mode: JudgeMode;
  validators: Validator[];
  metrics: Metric[];
  /** Present when the author wrote the block; a dimension of source `behavioral` needs it. */
  behavioral?: Behavioral;
  llm_judges: Judge[];
  post_execution_checks: PostExecutionCheck[];
  runtime_limits: RuntimeLimits;
  pricing: Pricing;
  scorecard: Scorecard;
}

export const JUDGE_MODES = ['deterministic', 'llm_judge', 'hybrid'] as const;
export type JudgeMode = (typeof JUDGE_MODES)[number];

/** One validator of type `T`. `target` and `expected_from` are reference texts, see `parseReference`. */
export interface ValidatorOf<T extends ValidatorType> {
  key: string;
  type: T;
  /** '' where the type judges without one. */
  target: string;
  expected_from?: string;
  /** A reference to the case: the validator judges only cases that have it. */
  when?: string;
  /** False: it passes an output that does not meet the expectation. */
  expect?: boolean;
  config: ValidatorConfigs[T];
}

/** A validator, discriminated by `type`: narrowing the type narrows `config`. */
export type Validator = { [T in ValidatorType]: ValidatorOf<T> }[ValidatorType];

export interface Metric {
  key: string;
  type: MetricType;
  collector: CollectorName;
  /** A label for people. */
  unit?: string;
}

export const BEHAVIORAL_SIGNALS = [
  'recovery_behavior',
  'exploration_efficiency',
  'error_cascade',
  'scope_adherence',
] as const;
export type BehavioralSignalKey = (typeof BEHAVIORAL_SIGNALS)[number];

export interface BehavioralSignal {
  key: BehavioralSignalKey;
  weight: number;
  gate: boolean;
  pass_threshold?: number;
}

export interface Behavioral {
  signals: BehavioralSignal[];
}

export const CHECK_TYPES = ['file_capture', 'directory_listing'] as const;
export type CheckType = (typeof CHECK_TYPES)[number];

export interface PostExecutionCheck {
  key: string;
  type: CheckType;
  path: string;
  /** Of a listing: whether it descends. */
  recursive: boolean;
  /** Bytes kept of a captured file. */
  max_size_bytes: number;
}

/** Bytes kept of one captured file when the check sets no limit. */
export const CAPTURE_BYTES_DEFAULT = 1_048_576;
/** Bytes kept of all captured files of one attempt. */
export const CAPTURE_BYTES_PER_ATTEMPT = 10_485_760;

/** Limits of one attempt; an absent one is not limited by the pack. */
export interface RuntimeLimits {
  max_total_tokens?: number;
  max_cost_usd?: number;
  max_duration_ms?: number;
  max_iterations?: number;
}

/** US dollars per million tokens. An absent rate is the input or output rate. */
export interface PriceRow {
  provider_key: string;
  provider_model_id: string;
  input_cost_per_million_tokens: number;
  output_cost_per_million_tokens: number;
  cached_input_cost_per_million_tokens?: number;
  reasoning_cost_per_million_tokens?: number;
}

export interface Pricing {
  models: PriceRow[];
}

/** Rates that list prices and the pricing of accounts may have beyond those of packs. An absent rate is the input rate. */
export interface ModelPrice extends PriceRow {
  cache_write_cost_per_million_tokens?: number;
  /** The rates of a whole call whose input, cached or not, has more tokens than this. */
  long_prompt?: Omit<PriceRow, 'provider_key' | 'provider_model_id'> & {
    above_input_tokens: number;
    cache_write_cost_per_million_tokens?: number;
  };
}

export const STRATEGIES = ['weighted', 'binary', 'hybrid'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export interface Scorecard {
  dimensions: Dimension[];
  strategy: Strategy;
  pass_threshold?: number;
  /** Share of an agent's attempts that may lack a usable scorecard; absent: 0.05. */
  max_missing_share?: number;
  judge_limits: JudgeLimits;
}

/** Limits of all judge calls of one attempt; 0 means no limit. */
export interface JudgeLimits {
  max_samples_per_judge: number;
  max_calls_usd: number;
  max_tokens: number;
}

export const DIMENSION_SOURCES = [
  'validators',
  'report',
  'metric',
  'latency',
  'cost',
  'reliability',
  'behavioral',
  'llm_judge',
  'human_preference',
] as const;
export type DimensionSource = (typeof DIMENSION_SOURCES)[number];

export type ValidatorScoring = 'scores' | 'verdicts';

export const DIRECTIONS = ['lower', 'higher'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The value that scores 1 (`target`) and the one that scores 0 (`max`), in the raw unit of the source. */
export interface Normalization {
  target: number;
  max: number;
}

export interface Dimension {
  key: string;
  source: DimensionSource;
  /** Validator keys read by source `validators`; empty means all of them. */
  validators: string[];
  /** Of the source `validators`: the mean of their scores (absent), or the share of them that pass. */
  scoring?: ValidatorScoring;
  /** The validator whose report is read; present for source `report`. */
  validator?: string;
  /** Metric key; present for source `metric`, and the metric of the report for source `report`. */
  metric?: string;
  /** Judge key; present for source `llm_judge`. */
  judge_key?: string;
  better_direction: Direction;
  /** Present for the sources `metric`, `latency` and `cost`. */
  normalization?: Normalization;
  weight: number;
  gate: boolean;
  pass_threshold?: number;
}

export const JUDGE_KINDS = ['rubric', 'reference', 'assertion', 'n_wise'] as const;
/** The task of a judge (its `mode`). */
export type JudgeKind = (typeof JUDGE_KINDS)[number];

export const AGGREGATIONS = ['median', 'mean', 'majority_vote', 'unanimous'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

export interface Consensus {
  aggregation: Aggregation;
  min_agreement_threshold: number;
  flag_on_disagreement: boolean;
}

export interface Judge {
  key: string;
  mode: JudgeKind;
  /** The judge's models in authored order, at least one; `model: X` is written here as `[X]`. */
  models: string[];
  /** Replies requested from each model. */
  samples: number;
  temperature: number;
  /** Reference texts shown to the judge. */
  context_from: string[];
  reference_from?: string;
  rubric?: string;
  assertion?: string;
  /** Of an assertion: the reply that scores 1. */
  expect: boolean;
  prompt?: string;
  score_scale: { min: number; max: number };
  output_schema?: Record<string, unknown>;
  position_debiasing: boolean;
  /** Present exactly when there are several models. */
  consensus?: Consensus;
  anti_gaming_clauses: string[];
  timeout_ms: number;
}
