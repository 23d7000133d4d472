import type { ValidatorConfig, ValidatorType } from '../evaluation-spec/validator-configs.js';
import { type Expected, faulty } from './expected.js';
import { EXPECTED_READERS, type ExpectedValues, type ExpectingType } from './expected-readers.js';
import { isTooLarge } from './limits.js';
import type { WorkBudget } from './math/work.js';

export type LiteralProblem = 'invalid_regex' | 'invalid_schema' | 'malformed';

/** True when a validator of this type compares with an expected text. */
export function expectsText(type: ValidatorType): type is ExpectingType {
  return Object.hasOwn(EXPECTED_READERS, type);
}

/** Reads an expected text for its validator, or returns what is wrong with it. */
export function readExpected<T extends ExpectingType>(
  type: T,
  config: ValidatorConfig<T>,
  text: string,
): Expected<ExpectedValues[T]> {
  if (isTooLarge(type, text)) return faulty('input_too_large');
  return EXPECTED_READERS[type](text, config);
}

/** A literal expected text, for a validator of this type. */
export interface ExpectedLiteral {
  readonly type: ValidatorType;
  readonly config: ValidatorConfig;
  readonly text: string;
}

/**
 * The problem that publishing reports for a literal that its validator could not use; null for a good one. Literals
 * that are too costly together count as malformed.
 */
export function tryExpected(
  { type, config, text }: ExpectedLiteral,
  allowance?: WorkBudget,
): LiteralProblem | null {
  if (!expectsText(type)) return null;
  const reading = tryReading(type, config as ValidatorConfig<typeof type>, { text, allowance });
  if (reading.ok) return null;
  if (reading.problem === 'invalid_regex') return 'invalid_regex';
  return type === 'json_schema' ? 'invalid_schema' : 'malformed';
}

/** Reads an expected text as scoring would. */
export function tryReading<T extends ExpectingType>(
  type: T,
  config: ValidatorConfig<T>,
  { text, allowance }: { text: string; allowance: WorkBudget | undefined },
): Expected<ExpectedValues[T]> {
  if (isTooLarge(type, text)) return faulty('input_too_large');
  return EXPECTED_READERS[type](text, config, allowance);
}
