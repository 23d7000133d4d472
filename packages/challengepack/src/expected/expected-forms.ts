import { schemaProblem } from '../json-schema/json-schema.js';
import { VALIDATOR_REFERENCE } from '../reference/validator-reference.js';
import { readJson } from '../values/exact-json.js';
import type { ExpectedProblem } from './expected.js';
import type { ExpectingType } from './expected-readers.js';

const PROBLEM_TEXTS: Partial<Record<ExpectedProblem, string>> = {
  input_too_large: 'this is larger than the validator reads',
  division_by_zero: 'this divides by zero',
};

/** The problem of an expected text of the type, as a sentence without a full stop. */
export function expectedProblemText(type: ExpectingType, problem: ExpectedProblem): string {
  return PROBLEM_TEXTS[problem] ?? `expected ${VALIDATOR_REFERENCE[type].expected ?? 'text'}`;
}

/** The same, with the place and the reason where the text is a JSON Schema that cannot be used. */
export function expectedTextProblem(type: ExpectingType, problem: ExpectedProblem, text: string): string {
  const form = expectedProblemText(type, problem);
  const reason = type === 'json_schema' && problem === 'invalid_expected' ? schemaTextProblem(text) : null;
  return reason === null ? form : `${form}, but ${reason}`;
}

/** Why a text is not a usable JSON Schema; null for one that is. */
export function schemaTextProblem(text: string): string | null {
  const reading = readJson(text);
  return reading.ok ? schemaProblem(reading.value) : 'the schema is not JSON';
}
