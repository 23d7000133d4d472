import { ConfidenceSequence } from './confidence-sequence.js';

export interface LaneEstimate {
  /** t and N: values that counted, and all cases of the race less the missing ones. */
  readonly cases: number;
  readonly population: number;
  readonly missing: number;
  /** Of the values that counted; null without any. */
  readonly mean: number | null;
  /** The 95 % confidence sequence of the mean over all N cases, within 0..1; null when every case is missing. */
  readonly interval: readonly [number, number] | null;
}

const ALPHA = 0.05;

/**
 * The mean of one lane, valid whenever its race stopped. `values` holds one value within 0..1 for every case of the race,
 * in the drawn order; null for a case without a usable attempt, undefined for one that did not end. Nothing counts from
 * the first undefined on: what ended early is not a random part of the cases.
 */
export function estimateLane(
  values: readonly (number | null | undefined)[],
  { alpha = ALPHA }: { alpha?: number } = {},
): LaneEstimate {
  const sequence = new ConfidenceSequence({ population: values.length, alpha });
  let missing = 0;
  for (const value of values) {
    if (value === undefined) break;
    if (value !== null) {
      sequence.add(value);
    } else {
      missing += 1;
      sequence.shrinkPopulation();
    }
  }
  const { count, population, mean } = sequence;
  return {
    cases: count,
    population,
    missing,
    mean,
    interval: population === 0 ? null : sequence.interval,
  };
}
