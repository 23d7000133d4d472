import { Decoding } from '../decode/decoding.js';
import { FieldPath } from '../decode/field-path.js';
import { sourceOfJson } from '../decode/json-source.js';
import { Problems } from '../decode/problems.js';
import { LineIndex } from '../decode/source.js';
import type { JsonValue } from '../json.js';
import type { AuthoredSpec } from './authored.js';
import { fillSpec } from './fill.js';
import { normalizeSpec } from './normalize.js';
import { EVALUATION_SPEC } from './shapes/spec-shape.js';
import type { EvaluationSpec } from './types.js';

/**
 * The spec that a manifest keeps, in full. Reads any authored spec too, as far as its types go: whether it makes
 * sense was checked when it was published. Throws when it is no evaluation spec.
 */
export function readEvaluationSpec(stored: JsonValue): EvaluationSpec {
  const source = sourceOfJson(stored);
  const problems = new Problems(source, new LineIndex(''), false);
  const decoding = new Decoding(problems, { executionMode: undefined });
  const draft = EVALUATION_SPEC.decode(source, FieldPath.root, decoding);
  const faults = problems.list().filter((problem) => problem.severity === 'error');
  if (draft === undefined || faults.length > 0) {
    const found = faults.map(({ field, code }) => `${field || 'the document'}: ${code}`).join(', ');
    throw new Error(`not an evaluation spec: ${found}`);
  }
  // Without errors a draft is complete.
  return fillSpec(normalizeSpec(draft) as AuthoredSpec);
}
