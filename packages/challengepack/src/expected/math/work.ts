import { MathFault } from './fault.js';
import { type Polynomial, polynomialKey } from './polynomial.js';
import type { Rational } from './rational.js';

/** About two seconds of work, in units of about one microsecond. */
const BUDGET = 1_500_000;
const PAUSE_EVERY = 3_000;

/** What one product or sum costs when a number in it has so many bits; the sizes are bounded above by `rational`. */
const COSTS: readonly [bits: bigint, cost: number][] = [
  [4096n, 4000],
  [512n, 200],
  [64n, 8],
];
const LIMITS = COSTS.map(([bits, cost]) => ({ limit: 1n << bits, cost }));

/** Counts the work of one comparison, so that it pauses in time and ends in any case; and names its bases. */
export class Work {
  #spent = 0;
  #pauseAt = PAUSE_EVERY;
  readonly #names: Map<string, string>;

  constructor(names = new Map<string, string>()) {
    this.#names = names;
  }

  /** A fresh budget for expressions that are to be compared with those counted so far. */
  renewed(): Work {
    return new Work(this.#names);
  }

  /** Counts one step on the given numbers. Throws `resource_limit` when the budget is used up. */
  spend(...numbers: readonly Rational[]): void {
    this.#spent += Math.max(1, ...numbers.map(costOf));
    if (this.#spent > BUDGET) throw new MathFault('resource_limit');
  }

  /** Whether it is time to pause; asking ends the interval. */
  isPauseDue(): boolean {
    if (this.#spent < this.#pauseAt) return false;
    this.#pauseAt = this.#spent + PAUSE_EVERY;
    return true;
  }

  /** A short name for a base, the same for equal bases; no symbol has such a name. */
  nameOf(base: Polynomial): string {
    const key = polynomialKey(base);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `#${this.#names.size}`;
    this.#names.set(key, name);
    return name;
  }
}

function costOf({ numerator, denominator }: Rational): number {
  const size = numerator < 0n ? -numerator : numerator;
  return LIMITS.find(({ limit }) => size >= limit || denominator >= limit)?.cost ?? 1;
}
