export type MathErrorCode = 'unparsable' | 'resource_limit' | 'division_by_zero';

/** Ends the reading or comparing of an expression; `code` is the reason. */
export class MathError extends Error {
  readonly code: MathErrorCode;

  constructor(code: MathErrorCode) {
    super(code);
    this.name = 'MathError';
    this.code = code;
  }
}
