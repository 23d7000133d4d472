/** Beyond this the tail is smaller than a double can distinguish from zero. */
const FAR = 38;

/** P(Z ≤ z) for the standard normal distribution. Absolute error below 10⁻¹⁵. */
export function normalCdf(z: number): number {
  if (z > FAR) return 1;
  if (z < -FAR) return 0;
  // Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …)
  let term = z;
  let sum = z;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + sum * Math.exp((-z * z) / 2 - Math.log(2 * Math.PI) / 2);
}

/** The z with P(Z ≤ z) = p, for p within [10⁻⁹, 1 − 10⁻⁹]. */
export function normalQuantile(p: number): number {
  if (p === 0.5) return 0;
  if (p < 0.5) return -normalQuantile(1 - p);
  return invertTail((z) => 1 - normalCdf(z), 1 - p);
}

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

const NEWTON_STEPS_MAX = 200;
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
  for (let step = 0; step < NEWTON_STEPS_MAX; step += 1) {
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

const TINY = 1e-300;
const FRACTION_STEPS_MAX = 1_000;
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
  for (let m = 1; m <= FRACTION_STEPS_MAX; m += 1) {
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

/** B₂ₖ / (2k(2k−1)) for k = 1, 2, …: the coefficients of Stirling's series. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];

/** From here on seven terms of the series are exact to the last digit of a double. */
const SERIES_FROM = 12;

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  while (at < SERIES_FROM) {
    shift += Math.log(at);
    at += 1;
  }
  const inverse = 1 / at;
  let power = inverse;
  let series = 0;
  for (const coefficient of STIRLING) {
    series += coefficient * power;
    power *= inverse * inverse;
  }
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

const HALVINGS = 200;

/** The x ≥ 0 at which the falling function `tail` reaches `target`; to the last digit, by bisection. */
function invertTail(tail: (x: number) => number, target: number): number {
  let low = 0;
  let high = 1;
  while (tail(high) > target && high < 1e300) high *= 2;
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (tail(middle) > target) low = middle;
    else high = middle;
  }
  return high;
}
