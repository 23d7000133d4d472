/** One reason a gate has for not simply passing, or what it could not look at and lets pass. */
export interface GateFinding {
  readonly kind: 'fail' | 'insufficient_evidence' | 'warn' | 'note';
  readonly reason: string;
}
