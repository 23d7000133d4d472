import { logGamma } from './log-gamma.js';

const TINY = 1e-300;
const STEPS_MAX = 1_000;
/** The steps' products end no nearer to 1 than rounding lets them. */
const PRECISION = 4e-16;

/** The regularised incomplete beta function Iₓ(a, b), for a, b > 0 and 0 ≤ x ≤ 1. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The continued fraction converges fast on the near side of the mean only.
  return x > (a + 1) / (a + b + 2) ? 1 - lowerTail(1 - x, b, a) : lowerTail(x, a, b);
}

function lowerTail(x: number, a: number, b: number): number {
  const front = a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b);
  return (Math.exp(front) / a) * continuedFraction(x, a, b);
}

/** The beta function's continued fraction (DLMF 8.17.22), evaluated from the front by Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= STEPS_MAX; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    value *= d * c;
    const change = d * c - 1;
    if (change < PRECISION && change > -PRECISION) break;
  }
  return value;
}

function nonZero(value: number): number {
  return value < TINY && value > -TINY ? TINY : value;
}
