import { invertTail } from './invert.js';

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
