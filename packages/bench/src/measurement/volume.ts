/** How much a set does. */
export interface Volume {
  /** Attempts of its largest run, instead of its own number. */
  attempts?: number | undefined;
  /** Just so much that everything is done once: its figures only show that they exist. */
  isQuick?: boolean | undefined;
}

/** Cases of a pack, and how often a run repeats them. */
export interface Shape {
  cases: number;
  repetitions: number;
}

const REPETITIONS_MAX = 100;

/** How a pack of so many cases makes about so many attempts, in at least one repetition of all. */
export function shapeOf(cases: number, attempts: number): Shape {
  const repetitions = Math.min(REPETITIONS_MAX, Math.max(1, Math.round(attempts / cases)));
  return { cases, repetitions };
}
