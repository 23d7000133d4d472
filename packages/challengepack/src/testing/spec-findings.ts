import type { ExecutionMode } from '@agentclash/domain';
import type { ValidatorType } from '../evaluation-spec/validator-configs.js';
import { VALIDATOR_TYPES } from '../evaluation-spec/validator-types.js';
import type { JsonObject } from '../json.js';
import { inspectEvaluationSpec } from '../read/read-evaluation-spec.js';

export const SUBMISSION = {
  key: 'result',
  type: 'exact_match',
  target: 'final_output',
  expected_from: 'case.expectations.result',
};
export const CHECKS = [
  { key: 'report', type: 'file_capture', path: 'report.md' },
  { key: 'tree', type: 'directory_listing', path: '.' },
];
export const JUDGE = { key: 'quality', mode: 'rubric', model: 'claude-sonnet-4-5', rubric: 'Is it good?' };
export const QUALITY = { key: 'quality', source: 'llm_judge', judge_key: 'quality' };

const BASE: JsonObject = {
  name: 'base',
  version_number: 1,
  judge_mode: 'hybrid',
  validators: [SUBMISSION],
  post_execution_checks: CHECKS,
  llm_judges: [JUDGE],
  scorecard: { dimensions: ['correctness', QUALITY], pass_threshold: 0.5 },
};

/** The problems of the base with these members replaced, as `field code`. */
export function findings(changes: JsonObject, mode?: ExecutionMode): string[] {
  return inspectEvaluationSpec({ ...BASE, ...changes }, mode)
    .map(({ field, code }) => `${field} ${code}`)
    .sort();
}

/** The same for one validator, with fields relative to it. */
export function ofValidator(validator: JsonObject, mode?: ExecutionMode): string[] {
  return relative(
    findings({ validators: [{ key: 'v', target: 'final_output', ...validator }] }, mode),
    'validators[0].',
  );
}

export function ofConfig(type: ValidatorType, config: JsonObject, target = 'final_output'): string[] {
  const expected: JsonObject =
    VALIDATOR_TYPES[type].expectedFrom === 'required' ? { expected_from: 'case.payload.x' } : {};
  return relative(ofValidator({ type, target, ...expected, config }), 'config.');
}

export function ofJudge(judge: JsonObject, mode?: ExecutionMode): string[] {
  return relative(findings({ llm_judges: [{ ...JUDGE, ...judge }] }, mode), 'llm_judges[0].');
}

export function ofDimension(dimension: JsonObject | string): string[] {
  const scorecard = { dimensions: ['correctness', QUALITY, dimension], pass_threshold: 0.5 };
  return relative(findings({ scorecard }), 'scorecard.dimensions[2].');
}

export function ofScorecard(scorecard: JsonObject, more: JsonObject = {}): string[] {
  return relative(
    findings({
      scorecard: { dimensions: ['correctness', QUALITY], pass_threshold: 0.5, ...scorecard },
      ...more,
    }),
    'scorecard.',
  );
}

export function relative(found: string[], prefix: string): string[] {
  return found.map((finding) => (finding.startsWith(prefix) ? finding.slice(prefix.length) : finding));
}
