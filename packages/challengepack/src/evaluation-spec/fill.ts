import type {
  AuthoredCheck,
  AuthoredDimension,
  AuthoredJudge,
  AuthoredScorecard,
  AuthoredSpec,
  AuthoredValidator,
  AuthoredValidatorOf,
} from './authored.js';
import {
  CHECK_DEFAULTS,
  CONSENSUS_DEFAULTS,
  DIMENSION_DEFAULTS,
  JUDGE_DEFAULTS,
  JUDGE_LIMIT_DEFAULTS,
  SCORECARD_DEFAULTS,
  SIGNAL_DEFAULTS,
} from './defaults.js';
import { impliedDirection } from './directions.js';
import { fillConfig } from './fill-config.js';
import {
  CAPTURE_BYTES_DEFAULT,
  type Dimension,
  type EvaluationSpec,
  type Judge,
  type PostExecutionCheck,
  type Scorecard,
  type Validator,
  type ValidatorOf,
} from './types.js';
import type { ValidatorType } from './validator-configs.js';

/** What scoring reads: a complete, normalised spec with every default filled in. */
export function fillSpec(authored: AuthoredSpec): EvaluationSpec {
  return {
    name: authored.name,
    version_number: authored.version_number,
    judge_mode: authored.judge_mode,
    validators: (authored.validators ?? []).map(fillValidator),
    metrics: authored.metrics ?? [],
    ...(authored.behavioral && {
      behavioral: {
        signals: authored.behavioral.signals.map((signal) => ({ ...SIGNAL_DEFAULTS, ...signal })),
      },
    }),
    llm_judges: (authored.llm_judges ?? []).map(fillJudge),
    post_execution_checks: (authored.post_execution_checks ?? []).map(fillCheck),
    runtime_limits: authored.runtime_limits ?? {},
    pricing: { models: authored.pricing?.models ?? [] },
    scorecard: fillScorecard(authored.scorecard),
  };
}

function fillValidator(authored: AuthoredValidator): Validator {
  // One type in, the same type out; the compiler sees two unions.
  return fillValidatorOf(authored) as Validator;
}

function fillValidatorOf<T extends ValidatorType>(authored: AuthoredValidatorOf<T>): ValidatorOf<T> {
  return { ...authored, config: fillConfig(authored.type, authored.config) };
}

function fillCheck(authored: AuthoredCheck): PostExecutionCheck {
  const check = { ...CHECK_DEFAULTS, ...authored };
  return { ...check, max_size_bytes: check.max_size_bytes || CAPTURE_BYTES_DEFAULT };
}

function fillJudge(authored: AuthoredJudge): Judge {
  const { model, models, consensus, score_scale, context_from, ...rest } = authored;
  return {
    ...JUDGE_DEFAULTS,
    ...rest,
    models: models && models.length > 0 ? models : model === undefined ? [] : [model],
    context_from: context_from && context_from.length > 0 ? context_from : [...JUDGE_DEFAULTS.context_from],
    anti_gaming_clauses: authored.anti_gaming_clauses ?? [],
    score_scale: { ...JUDGE_DEFAULTS.score_scale, ...score_scale },
    ...(consensus && { consensus: { ...CONSENSUS_DEFAULTS, ...consensus } }),
  };
}

function fillScorecard(authored: AuthoredScorecard): Scorecard {
  const { dimensions, judge_limits, normalization, ...rest } = authored;
  return {
    ...SCORECARD_DEFAULTS,
    ...rest,
    dimensions: dimensions.map(fillDimension),
    judge_limits: { ...JUDGE_LIMIT_DEFAULTS, ...judge_limits },
  };
}

function fillDimension(authored: AuthoredDimension): Dimension {
  // Only a spec with problems has a dimension without source; it is never filled.
  const source = authored.source ?? 'validators';
  return {
    ...DIMENSION_DEFAULTS,
    validators: [],
    ...authored,
    source,
    better_direction: authored.better_direction ?? impliedDirection(source) ?? 'higher',
  };
}
