import { logGamma } from './log-gamma.js';

/** The exact McNemar test over discordant pairs: min(1, 2·P(X ≤ min(lost, gained))), X ~ Bin(lost + gained, ½). */
export function mcnemarP(lost: number, gained: number): number {
  const discordant = lost + gained;
  let tail = 0;
  for (let k = 0; k <= Math.min(lost, gained); k += 1) {
    tail += Math.exp(logChoose(discordant, k) - discordant * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}
