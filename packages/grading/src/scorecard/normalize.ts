import type { Direction, Normalization } from '@agentclash/challengepack';

/** A measured value as a score: 1 at the target or better, 0 at `max` or worse, a straight line between. */
export function normalizeScore(value: number, { target, max }: Normalization, direction: Direction): number {
  const isBetter = direction === 'lower' ? value <= target : value >= target;
  if (isBetter) return 1;
  const isWorse = direction === 'lower' ? value >= max : value <= max;
  if (isWorse) return 0;
  return direction === 'lower' ? 1 - (value - target) / (max - target) : (value - max) / (target - max);
}
