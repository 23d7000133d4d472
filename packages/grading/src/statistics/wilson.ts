import { normalQuantile } from './normal.js';

/** The Wilson 95 % interval of a share; null without trials. */
export function wilsonInterval(successes: number, trials: number): [number, number] | null {
  if (trials === 0) return null;
  const z = normalQuantile(0.975);
  const share = successes / trials;
  const spread = (z * z) / trials;
  const center = (share + spread / 2) / (1 + spread);
  const reach = (z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread);
  // At 0 and 1 the bound is exact; the formula misses it by a rounding error.
  return [successes === 0 ? 0 : center - reach, successes === trials ? 1 : center + reach];
}
