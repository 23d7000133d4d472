import { type PairOptions, PairRace } from '../race/pair-race.js';
import type { Random } from './random.js';

/** The values of every lane, case by case. */
export type Lanes = (number | null)[][];

interface EqualLanes {
  readonly lanes: number;
  /** A multiple of `lanes`. */
  readonly cases: number;
  readonly rate: number;
  readonly repetitions: number;
  /** The share of cases without a value. */
  readonly missing?: number;
}

/**
 * Lanes whose means over all cases are equal: every case comes once for each rotation of the lanes. Any verdict but
 * equivalence before the last case is false.
 */
export function equalLanes(
  random: Random,
  { lanes, cases, rate, repetitions, missing = 0 }: EqualLanes,
): Lanes {
  const rows: (number | null)[][] = [];
  for (let group = 0; group < cases / lanes; group += 1) {
    const isMissing = random.uniform() < missing;
    const row = Array.from({ length: lanes }, () =>
      isMissing ? null : random.binomial(repetitions, rate) / repetitions,
    );
    for (let shift = 0; shift < lanes; shift += 1) rows.push([...row.slice(shift), ...row.slice(0, shift)]);
  }
  return columns(random.shuffled(rows), lanes);
}

/** Lanes of independent cases; `rates` has one entry per lane. */
export function independentLanes(
  random: Random,
  { rates, cases, repetitions }: { rates: readonly number[]; cases: number; repetitions: number },
): Lanes {
  return rates.map((rate) =>
    Array.from({ length: cases }, () => random.binomial(repetitions, rate) / repetitions),
  );
}

function columns(rows: readonly (number | null)[][], lanes: number): Lanes {
  return Array.from({ length: lanes }, (_, lane) => rows.map((row) => row[lane] ?? null));
}

/** The race of two lanes to its verdict. */
export function racePair(
  left: readonly (number | null)[],
  right: readonly (number | null)[],
  options: Pick<PairOptions, 'alpha' | 'margin' | 'range'>,
): PairRace {
  const pair = new PairRace({ a: 'a', b: 'b', cases: left.length, max_missing_share: 1, ...options });
  for (let at = 0; at < left.length && !pair.isDecided; at += 1)
    pair.count(left[at] ?? null, right[at] ?? null);
  return pair;
}
