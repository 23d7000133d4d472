import { VALIDATOR_REFERENCE } from '../reference/validator-reference.js';
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
