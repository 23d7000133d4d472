/** The chance that at least one of k trials drawn from the n passes; null when n < k. */
export function passAtK(successes: number, trials: number, k: number): number | null {
  const noneOf = drawAll(trials - successes, trials, k);
  return noneOf === null ? null : 1 - noneOf;
}

/** The chance that all of k trials drawn from the n pass; null when n < k. */
export function passHatK(successes: number, trials: number, k: number): number | null {
  return drawAll(successes, trials, k);
}

/** C(marked, k) / C(all, k), as a product so that nothing overflows. */
function drawAll(marked: number, all: number, k: number): number | null {
  if (all < k) return null;
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn += 1) chance *= Math.max(0, marked - drawn) / (all - drawn);
  return chance;
}
