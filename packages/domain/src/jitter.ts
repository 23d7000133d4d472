/** The factor by which a retry's delay is spread over [0.8, 1.2) of itself; `random` is in [0, 1). */
export function jitter(random: number): number {
  return 0.8 + 0.4 * random;
}
