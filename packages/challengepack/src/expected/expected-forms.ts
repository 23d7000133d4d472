import { schemaProblem } from '../json-schema/json-schema.js';
import { VALIDATOR_REFERENCE } from '../reference/validator-reference.js';
import { readJson } from './exact-json.js';
import type { ExpectingType } from './expected-readers.js';
import type { ExpectedFault } from './faults.js';

const FAULTS: Partial<Record<ExpectedFault, string>> = {
  input_too_large: 'this is larger than the validator reads',
  division_by_zero: 'this divides by zero',
};

/** What is wrong with an expected text of the type, as a sentence without a full stop. */
export function expectedFaultText(type: ExpectingType, fault: ExpectedFault): string {
  return FAULTS[fault] ?? `expected ${VALIDATOR_REFERENCE[type].expected ?? 'text'}`;
}

/** The same, with the place and the reason where the text is a JSON Schema that cannot be used. */
export function expectedTextProblem(type: ExpectingType, fault: ExpectedFault, text: string): string {
  const form = expectedFaultText(type, fault);
  const reason = type === 'json_schema' && fault === 'invalid_expected' ? schemaTextProblem(text) : null;
  return reason === null ? form : `${form}, but ${reason}`;
}

/** Why a text is not a usable JSON Schema; null for one that is. */
export function schemaTextProblem(text: string): string | null {
  const reading = readJson(text);
  return reading.ok ? schemaProblem(reading.value) : 'the schema is not JSON';
}
