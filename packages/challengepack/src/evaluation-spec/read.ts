import { Decoding } from '../decode/decoding.js';
import { FieldPath } from '../decode/field-path.js';
import { sourceOfJson } from '../decode/json-source.js';
import { type Problem, Problems } from '../decode/problems.js';
import { LineIndex } from '../decode/source.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { ExecutionMode } from '../model.js';
import type { AuthoredSpec, SpecDraft } from './authored.js';
import { checkEvaluationSpec } from './evaluation-spec.js';
import { fillSpec } from './fill.js';
import { normalizeSpec } from './normalize.js';
import { EVALUATION_SPEC } from './shapes/spec-shape.js';
import type { EvaluationSpec } from './types.js';

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
 * Everything publishing would report about a spec that stands alone, with fields relative to it and without positions.
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
