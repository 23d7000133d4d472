import { casesTestable } from '../comparison/detectable.js';
import { casesNeeded } from '../comparison/paired-test.js';
import { verdictRange } from '../sequential/confidence-sequence.js';
import { mean } from '../statistics/sample.js';
import { SeededRandom } from '../statistics/seeded-random.js';
import { PairRace } from './pair-race.js';
import type { RaceGoal } from './types.js';

export interface PlanOptions {
  /** N: all cases of the input set, 1 or more. */
  readonly cases: number;
  /** The difference of two lanes that the race is to find, above 0 and at most 1. */
  readonly difference: number;
  /** See {@link discordanceOf}; raised to `difference` where it is below. */
  readonly discordance: number;
  /** Of the whole race, shared by its pairs. */
  readonly alpha: number;
  readonly margin: number;
  readonly pairs: number;
  readonly seed?: number;
}

export interface RacePlan {
  /** The alpha of a pair. */
  readonly share: number;
  readonly discordance: number;
  /** Cases that an ordinary comparison needs to show the difference with 80 % power; may exceed `cases`. */
  readonly fixed_cases: number;
  /** Cases until two lanes with this difference have a verdict, in simulated races of the N cases. */
  readonly sequential_cases: { readonly median: number; readonly p90: number };
  /** The share of simulated races with a verdict before the last case. */
  readonly early_share: number;
  readonly simulations: number;
}

const SIMULATIONS_MAX = 1_000;
const SIMULATIONS_MIN = 100;
/** Grid points that all simulations may visit: a few seconds. */
const POINTS_MAX = 1e9;
/** The cost of a block besides its grid points, in points. */
const BLOCK_POINTS = 20;
const SEED = 1;

/** The number of pairs that share the alpha of a race with so many lanes, the baseline not counted. */
export function pairCount(goal: RaceGoal, lanes: number): number {
  return goal === 'baseline' ? lanes : (lanes * (lanes - 1)) / 2;
}

/**
 * The mean square of two lanes' differences by case. Of lanes that pass or fail each case once it is the share of cases
 * where only one of them passes; it determines the spread of a comparison. null without cases.
 */
export function discordanceOf(
  pairs: readonly { readonly baseline: number; readonly candidate: number }[],
): number | null {
  return mean(pairs.map(({ baseline, candidate }) => (candidate - baseline) ** 2));
}

/**
 * The cases that a race needs for a difference, before anything is spent: in every simulation one lane alone passes
 * (discordance + difference)/2 of the N cases and the other alone (discordance − difference)/2, drawn in random order.
 * The same options give the same plan. It takes up to a few seconds: not for a thread that serves others.
 */
export function planRace(options: PlanOptions): RacePlan {
  const { cases, difference, alpha, margin, pairs, seed = SEED } = options;
  if (!(difference > 0 && difference <= 1))
    throw new RangeError(`The difference ${difference} is not within 0 to 1`);
  const discordance = Math.min(1, Math.max(options.discordance, difference));
  const share = alpha / pairs;
  const wins = Math.round((cases * (discordance + difference)) / 2);
  const losses = Math.min(cases - wins, Math.round((cases * (discordance - difference)) / 2));
  const random = new SeededRandom(seed);
  const simulations = simulationsOf(cases, margin);
  const taken = Array.from({ length: simulations }, () => {
    const pair = newPair({ cases, alpha: share, margin });
    simulate(pair, { random, wins, losses, ties: cases - wins - losses });
    return pair.position;
  }).sort((a, b) => a - b);
  const quantile = (share: number) => taken[Math.ceil(share * simulations) - 1] ?? cases;
  return {
    share,
    discordance,
    fixed_cases: Math.max(
      casesTestable(1, share),
      casesNeeded(Math.sqrt(discordance - difference ** 2), difference, share),
    ),
    sequential_cases: { median: quantile(0.5), p90: quantile(0.9) },
    early_share: taken.filter((position) => position < cases).length / simulations,
    simulations,
  };
}

function newPair(options: { cases: number; alpha: number; margin: number }): PairRace {
  const range = verdictRange(options.margin);
  return new PairRace({ a: 'a', b: 'b', max_missing_share: 0, range, ...options });
}

interface Population {
  readonly random: SeededRandom;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}

/** Draws cases without replacement until the pair has a verdict. */
function simulate(pair: PairRace, { random, ...left }: Population): void {
  let { wins, losses, ties } = left;
  while (!pair.isDecided) {
    const drawn = random.uniform() * (wins + losses + ties);
    if (drawn < wins) {
      wins -= 1;
      pair.count(1, 0);
    } else if (drawn < wins + losses) {
      losses -= 1;
      pair.count(0, 1);
    } else {
      ties -= 1;
      pair.count(0, 0);
    }
  }
}

function simulationsOf(cases: number, margin: number): number {
  const { first, last } = verdictRange(margin);
  const affordable = Math.floor(POINTS_MAX / (cases * (last - first + 1 + BLOCK_POINTS)));
  return Math.max(SIMULATIONS_MIN, Math.min(SIMULATIONS_MAX, affordable));
}
