import type { Draft } from '../decode/shape.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { Harness } from './harness.js';
import type {
  BehavioralSignal,
  Consensus,
  Dimension,
  Direction,
  Judge,
  JudgeLimits,
  JudgeMode,
  Metric,
  Normalization,
  PostExecutionCheck,
  PriceRow,
  RuntimeLimits,
  Strategy,
} from './types.js';
import type {
  ExpectedToolCall,
  NormalizationStep,
  PostconditionConfig,
  ValidatorConfigs,
  ValidatorType,
} from './validator-configs.js';

/**
 * The evaluation spec in the words of the author: what the checks see and, without defaults, what a manifest keeps.
 * Only what every author must write is required here.
 */
export interface AuthoredSpec {
  name: string;
  version_number: number;
  judge_mode: JudgeMode;
  validators?: AuthoredValidator[];
  metrics?: Metric[];
  behavioral?: { signals: AuthoredSignal[] };
  llm_judges?: AuthoredJudge[];
  post_execution_checks?: AuthoredCheck[];
  runtime_limits?: RuntimeLimits;
  pricing?: { models?: PriceRow[] };
  scorecard: AuthoredScorecard;
}

export interface AuthoredValidatorOf<T extends ValidatorType> {
  key: string;
  type: T;
  /** Absent for types that judge without one. */
  target?: string;
  expected_from?: string;
  when?: string;
  expect?: boolean;
  config?: AuthoredConfig<T>;
}

export type AuthoredValidator = { [T in ValidatorType]: AuthoredValidatorOf<T> }[ValidatorType];

/** The config an author may write for a type, older spellings included. */
export type AuthoredConfig<T extends ValidatorType> = AuthoredConfigs[T];

type AuthoredConfigs = {
  [T in Exclude<ValidatorType, keyof SpecialConfigs>]: Partial<ValidatorConfigs[T]>;
} & SpecialConfigs;

interface SpecialConfigs {
  normalized_match: { pipeline?: NormalizationStep[]; normalizations?: NormalizationStep[] };
  numeric_match: Partial<ValidatorConfigs['numeric_match']> & {
    tolerance_mode?: 'relative' | 'absolute';
    tolerance?: number;
  };
  file_json_schema: { schema: JsonObject };
  postcondition: { condition: PostconditionConfig['condition']; value?: JsonValue; json_path?: string };
  /** Exactly one of `test_command` and `harness` is written. */
  code_execution: Partial<ValidatorConfigs['code_execution']> & { harness?: Harness };
  script: Partial<ValidatorConfigs['script']> & { artifact_key: string };
  tool_call_assertion: Partial<Omit<ValidatorConfigs['tool_call_assertion'], 'arguments_contain'>> & {
    arguments_contain?: JsonObject;
  };
  trajectory_match: Partial<Omit<ValidatorConfigs['trajectory_match'], 'expected'>> & {
    expected?: AuthoredToolCall[];
  };
}

/** A step of a trajectory; one without arguments may be written as the tool's name alone. */
export interface AuthoredToolCall extends ExpectedToolCall {
  arguments?: JsonObject;
}

export type AuthoredSignal = Optional<BehavioralSignal, 'gate'>;
export type AuthoredCheck = Optional<PostExecutionCheck, 'recursive' | 'max_size_bytes'>;

export interface AuthoredJudge
  extends Optional<
    Omit<Judge, 'models' | 'score_scale' | 'consensus' | 'output_schema'>,
    | 'samples'
    | 'temperature'
    | 'context_from'
    | 'expect'
    | 'position_debiasing'
    | 'anti_gaming_clauses'
    | 'timeout_ms'
  > {
  /** Exactly one of `model` and `models` is written. */
  model?: string;
  models?: string[];
  score_scale?: Partial<Judge['score_scale']>;
  consensus?: Optional<Consensus, 'min_agreement_threshold' | 'flag_on_disagreement'>;
  output_schema?: JsonObject;
}

export interface AuthoredDimension
  extends Optional<Omit<Dimension, 'source' | 'better_direction'>, 'validators' | 'weight' | 'gate'> {
  /** Absent where the key determines it, until normalised. */
  source?: Dimension['source'];
  better_direction?: Direction;
}

export interface AuthoredScorecard {
  dimensions: AuthoredDimension[];
  strategy?: Strategy;
  pass_threshold?: number;
  max_missing_share?: number;
  judge_limits?: Partial<JudgeLimits>;
  normalization?: OlderNormalization;
}

/** The older place for the bounds of latency and cost. */
export interface OlderNormalization {
  latency?: { target_ms?: number; max_ms?: number };
  cost?: { target_usd?: number; max_usd?: number };
}

export type SpecDraft = Draft<AuthoredSpec>;
export type ScorecardDraft = Draft<AuthoredScorecard>;
export type DimensionDraft = Draft<AuthoredDimension>;
export type NormalizationDraft = Draft<Normalization>;
export type JudgeDraft = Draft<AuthoredJudge>;
export type ValidatorDraft = Draft<AuthoredValidator>;
export type ConfigDraft<T extends ValidatorType> = Draft<AuthoredConfig<T>>;

type Optional<R, K extends keyof R> = Omit<R, K> & Partial<Pick<R, K>>;
