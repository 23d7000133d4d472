import type { ExecutionMode } from '@agentclash/domain';
import { Decoding } from '../decode/decoding.js';
import { FieldPath } from '../decode/field-path.js';
import { type Problem, Problems } from '../decode/problems.js';
import { LineIndex, type SourceNode, type SourceScalar } from '../decode/source.js';
import type {
  AuthoredCheck,
  AuthoredDimension,
  AuthoredJudge,
  AuthoredScorecard,
  AuthoredSpec,
  AuthoredValidator,
  AuthoredValidatorOf,
  SpecDraft,
} from '../evaluation-spec/authored.js';
import { checkEvaluationSpec } from '../evaluation-spec/checks/check-evaluation-spec.js';
import {
  CHECK_DEFAULTS,
  CONSENSUS_DEFAULTS,
  DIMENSION_DEFAULTS,
  JUDGE_DEFAULTS,
  JUDGE_LIMIT_DEFAULTS,
  SCORECARD_DEFAULTS,
  SIGNAL_DEFAULTS,
} from '../evaluation-spec/defaults.js';
import { impliedDirection } from '../evaluation-spec/directions.js';
import { fillConfig } from '../evaluation-spec/fill-config.js';
import { normalizeSpec } from '../evaluation-spec/normalize.js';
import { EVALUATION_SPEC } from '../evaluation-spec/shapes/spec-shape.js';
import {
  CAPTURE_BYTES_DEFAULT,
  type Dimension,
  type EvaluationSpec,
  type Judge,
  type PostExecutionCheck,
  type Scorecard,
  type Validator,
  type ValidatorOf,
} from '../evaluation-spec/types.js';
import type { ValidatorType } from '../evaluation-spec/validator-configs.js';
import type { JsonObject, JsonValue } from '../json.js';

/**
 * The spec that a manifest keeps, in full. Reads any authored spec too, as far as its types go: whether it makes
 * sense was checked when it was published. Throws when it is no evaluation spec.
 */
export function readEvaluationSpec(stored: JsonValue): EvaluationSpec {
  return fillSpec(completeSpec(stored));
}

/** The form a manifest keeps: normalised, without what equals its default. Throws when it is no evaluation spec. */
export function compactEvaluationSpec(authored: JsonValue): JsonObject {
  return EVALUATION_SPEC.encode(completeSpec(authored)) as JsonObject;
}

/**
 * Everything publishing would report about a spec without its pack, with fields relative to it and without positions.
 * Without an execution mode, what depends on one is not checked.
 */
export function inspectEvaluationSpec(spec: JsonValue, executionMode?: ExecutionMode): Problem[] {
  const { draft, problems } = decodeSpec(spec);
  if (draft) {
    const context = { executionMode };
    checkEvaluationSpec({ spec: normalizeSpec(draft), at: FieldPath.root, context }, problems);
  }
  return problems.list();
}

function completeSpec(json: JsonValue): AuthoredSpec {
  const { draft, problems } = decodeSpec(json);
  const errors = problems.list().filter((problem) => problem.severity === 'error');
  if (draft === undefined || errors.length > 0) {
    const found = errors.map(({ field, code }) => `${field || 'the document'}: ${code}`).join(', ');
    throw new Error(`not an evaluation spec: ${found}`);
  }
  // Without errors a draft is complete.
  return normalizeSpec(draft) as AuthoredSpec;
}

function decodeSpec(json: JsonValue): { draft: SpecDraft | undefined; problems: Problems } {
  const source = sourceOfJson(json);
  const problems = new Problems(source, new LineIndex(''), false);
  const decoding = new Decoding(problems, { executionMode: undefined });
  return { draft: EVALUATION_SPEC.decode(source, FieldPath.root, decoding), problems };
}

/** The spec that scoring reads: a complete, normalised spec with every default filled in. */
function fillSpec(authored: AuthoredSpec): EvaluationSpec {
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
  return { ...authored, target: authored.target ?? '', config: fillConfig(authored.type, authored.config) };
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

/** A JSON value as a source tree without places, so that shapes read stored JSON as they read a document. */
function sourceOfJson(value: JsonValue): SourceNode {
  if (Array.isArray(value)) return { kind: 'list', at: 0, items: value.map(sourceOfJson) };
  if (typeof value !== 'object' || value === null) return scalar(value);
  const entries = Object.entries(value).map(
    ([key, member]) => [key, { keyAt: 0, value: sourceOfJson(member) }] as const,
  );
  return { kind: 'map', at: 0, entries: new Map(entries), repeated: [], unkeyed: [] };
}

function scalar(value: null | boolean | number | string): SourceScalar {
  return { kind: 'scalar', at: 0, value, text: value === null ? '' : String(value), oversized: false };
}
