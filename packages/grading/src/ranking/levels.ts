import { isSame } from '../tolerance.js';

/**
 * Numbers each distinct value, highest first from 0, so that values equal but for rounding share a level. Levels
 * compare transitively where a tolerance on pairs would not. null comes last.
 */
export function levelsOf(values: readonly (number | null)[]): number[] {
  const descending = [...new Set(values.filter((value) => value !== null))].sort((a, b) => b - a);
  const levels = new Map<number | null, number>();
  let level = -1;
  let head: number | undefined;
  for (const value of descending) {
    if (head === undefined || !isSame(head, value)) {
      level += 1;
      head = value;
    }
    levels.set(value, level);
  }
  return values.map((value) => levels.get(value) ?? level + 1);
}
