import { sha256Of } from '@agentclash/run-scoring';

/** An item as far as its position depends on it. */
export interface OrderedItem {
  id: string;
  /** The item that shows the same pair in the other order. */
  repeats: string | null;
}

interface RaterOf {
  seed: number;
  rater: string;
}

/**
 * The items in the order of one rater: drawn by the seed and the rater's name. An item that repeats another one comes
 * after it, and in the second half.
 */
export function orderFor<Item extends OrderedItem>(items: readonly Item[], of: RaterOf): Item[] {
  const positionOf = ({ id, repeats }: OrderedItem) => {
    const own = fraction(of, ['order', id]);
    if (repeats === null) return own;
    const after = Math.max(0.5, fraction(of, ['order', repeats]));
    return after + (1 - after) * own;
  };
  return items
    .map((item) => ({ item, position: positionOf(item) }))
    .sort((a, b) => a.position - b.position || (a.item.id < b.item.id ? -1 : 1))
    .map(({ item }) => item);
}

/** The side on which a rater sees the first attempt of a pair: drawn, and the other one in a repeated item. */
export function firstShown({ id, repeats }: OrderedItem, of: RaterOf): 'left' | 'right' {
  const isLeft = fraction(of, ['side', repeats ?? id]) < 0.5;
  return isLeft === (repeats === null) ? 'left' : 'right';
}

/** Uniform in [0, 1), the same for the same keys. */
function fraction({ seed, rater }: RaterOf, keys: readonly string[]): number {
  return Number.parseInt(sha256Of([seed, rater, ...keys]).slice(0, 12), 16) / 2 ** 48;
}
