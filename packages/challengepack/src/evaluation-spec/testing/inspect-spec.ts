import { Decoding } from '../../decode/decoding.js';
import { FieldPath } from '../../decode/field-path.js';
import { sourceOfJson } from '../../decode/json-source.js';
import { type Problem, Problems } from '../../decode/problems.js';
import { LineIndex } from '../../decode/source.js';
import type { JsonValue } from '../../json.js';
import type { ExecutionMode } from '../../model.js';
import { checkEvaluationSpec, EVALUATION_SPEC, normalizeSpec } from '../evaluation-spec.js';

/** All problems of an evaluation spec given as JSON, with fields relative to it. */
export function inspectSpec(spec: JsonValue, executionMode?: ExecutionMode): Problem[] {
  const source = sourceOfJson(spec);
  const problems = new Problems(source, new LineIndex(''), false);
  const decoding = new Decoding(problems, { executionMode });
  const draft = EVALUATION_SPEC.decode(source, FieldPath.root, decoding);
  if (draft === undefined) return problems.list();
  checkEvaluationSpec(
    { spec: normalizeSpec(draft), at: FieldPath.root, context: { executionMode } },
    problems,
  );
  return problems.list();
}
