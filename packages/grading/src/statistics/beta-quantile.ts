import { incompleteBeta } from './incomplete-beta.js';
import { logGamma } from './log-gamma.js';

const STEPS_MAX = 200;
/** Where the density is steepest, a relative step of this size moves the probability by about 1e-10. */
const CLOSE = 1e-15;

/** The x with Iₓ(a, b) = p, for 0 < p < 1: the quantile of a beta distribution. a = 0 is all weight at 0, b = 0 at 1. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (a <= 0) return 0;
  if (b <= 0) return 1;
  const logScale = logGamma(a + b) - logGamma(a) - logGamma(b);
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  // Newton's steps, as long as they stay between the bounds found so far; else half-way between these.
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const miss = incompleteBeta(x, a, b) - p;
    if (miss < 0) low = x;
    else high = x;
    const density = Math.exp(logScale + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
    const newton = x - miss / density;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= CLOSE * next || next === low || next === high) return next;
    x = next;
  }
  return x;
}
