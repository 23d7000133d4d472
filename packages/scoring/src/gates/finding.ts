/** One reason a gate has for not simply passing. */
export interface Finding {
  readonly kind: 'fail' | 'insufficient_evidence' | 'warn';
  readonly reason: string;
}
