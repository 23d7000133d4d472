/** The defect of the pack that keeps an attempt from being graded: the first validator or judge that it affects. */
export interface PackError {
  /** The key of the validator or judge. */
  readonly validator: string;
  /** Its type, or `judge`. */
  readonly type: string;
  /** A code, as in the result. */
  readonly reason: string;
  /** The reference that it compares with; null where the value is part of its config. */
  readonly expected_from: string | null;
  /** The beginning of the text that was found there; null where there is none. */
  readonly value: string | null;
  /** One sentence without a full stop. */
  readonly message: string;
}
