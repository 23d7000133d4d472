export type MathFaultCode = 'unparsable' | 'resource_limit' | 'division_by_zero';

/** Ends the reading or comparing of an expression; `code` says why. */
export class MathFault extends Error {
  readonly code: MathFaultCode;

  constructor(code: MathFaultCode) {
    super(code);
    this.name = 'MathFault';
    this.code = code;
  }
}
