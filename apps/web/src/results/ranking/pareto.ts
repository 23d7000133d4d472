/** An agent by what it costs and how well it does. */
export interface Tradeoff {
  /** Less is better. */
  expense: number;
  /** More is better. */
  score: number;
}

/** Those that no other one beats: none does as well for less, nor better for as much. By expense. */
export function paretoFront<Item extends Tradeoff>(items: readonly Item[]): Item[] {
  const isBeaten = (item: Item) =>
    items.some(
      (other) =>
        other.expense <= item.expense &&
        other.score >= item.score &&
        (other.expense < item.expense || other.score > item.score),
    );
  return items.filter((item) => !isBeaten(item)).sort((a, b) => a.expense - b.expense);
}

const LOG_FROM_RATIO = 10;

/** True where the smaller values would be indistinguishable on a linear axis. */
export function needsLogAxis(values: readonly number[]): boolean {
  const least = Math.min(...values);
  return least > 0 && Math.max(...values) / least >= LOG_FROM_RATIO;
}
