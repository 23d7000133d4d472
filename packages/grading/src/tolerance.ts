/** Scores closer than this are equal: what rounding does must not decide a verdict. */
export const SCORE_SLACK = 1e-9;

/** `a ≥ b`, forgiving rounding. Every threshold is inclusive. */
export function isAtLeast(a: number, b: number): boolean {
  return a >= b - SCORE_SLACK;
}

/** Equal but for rounding. */
export function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= SCORE_SLACK;
}
