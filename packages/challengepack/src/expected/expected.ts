/** Why an expected text cannot be used, which is an error of the pack. */
export type ExpectedProblem =
  | 'invalid_expected'
  | 'invalid_regex'
  | 'empty_expected'
  | 'division_by_zero'
  | 'input_too_large';

/** An expected text read for its validator, or what is wrong with it. */
export type Expected<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ExpectedProblem };

export function expected<T>(value: T): Expected<T> {
  return { ok: true, value };
}

export function faulty(problem: ExpectedProblem): Expected<never> {
  return { ok: false, problem };
}

/** The value, or `invalid_expected` for null. */
export function expectedOr<T>(value: T | null, problem: ExpectedProblem = 'invalid_expected'): Expected<T> {
  return value === null ? faulty(problem) : expected(value);
}
