import { incompleteBeta } from './incomplete-beta.js';
import { invertTail } from './invert.js';

/** P(|T| ≥ |t|) for Student's t with `df` degrees of freedom. */
export function studentTwoSided(t: number, df: number): number {
  return incompleteBeta(df / (df + t * t), df / 2, 0.5);
}

/** P(T ≤ t). */
export function studentCdf(t: number, df: number): number {
  const tail = studentTwoSided(t, df) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** The t with P(T ≤ t) = p, for 0 < p < 1 and df ≥ 1. */
export function studentQuantile(p: number, df: number): number {
  if (p === 0.5) return 0;
  if (p < 0.5) return -studentQuantile(1 - p, df);
  return invertTail((t) => studentTwoSided(t, df) / 2, 1 - p);
}
