import type { ValidatorConfig, ValidatorType } from '../evaluation-spec/validator-configs.js';
import { EXPECTED_READERS, type ExpectedValues, type ExpectingType } from './expected-readers.js';
import { type Expected, faulty } from './faults.js';
import { isTooLarge } from './limits.js';
import { finish, type Steps } from './steps.js';

export type LiteralProblem = 'invalid_regex' | 'invalid_schema' | 'malformed';

/** Whether a validator of this type compares with an expected text. */
export function expectsText(type: ValidatorType): type is ExpectingType {
  return Object.hasOwn(EXPECTED_READERS, type);
}

/** Reads an expected text for its validator, or says what is wrong with it. */
export function* readExpected<T extends ExpectingType>(
  type: T,
  config: ValidatorConfig<T>,
  text: string,
): Steps<Expected<ExpectedValues[T]>> {
  if (isTooLarge(type, text)) return faulty('input_too_large');
  return yield* EXPECTED_READERS[type](text, config);
}

/** What publishing says of a literal expected text that its validator could not use; null for a good one. */
export function tryExpected(
  type: ValidatorType,
  config: ValidatorConfig,
  text: string,
): LiteralProblem | null {
  if (!expectsText(type)) return null;
  const reading = finish(readExpected(type, config as ValidatorConfig<typeof type>, text));
  if (reading.ok) return null;
  if (reading.fault === 'invalid_regex') return 'invalid_regex';
  return type === 'json_schema' ? 'invalid_schema' : 'malformed';
}
