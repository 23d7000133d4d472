import { MathError } from './math-error.js';
import { type Polynomial, polynomialKey } from './polynomial.js';
import type { Rational } from './rational.js';

/** A second or two of work, in units of about one microsecond. */
const BUDGET = 1_000_000;

/** The cost of arithmetic on a number of so many bits; `rational` bounds the sizes above. */
const COSTS = [
  { limit: 1n << 64n, cost: 1 },
  { limit: 1n << 512n, cost: 30 },
  { limit: 1n << 4096n, cost: 600 },
];
const COST_MAX = 6000;

/** The work that several expressions may cost together, such as all those of one document. */
export class WorkBudget {
  #left = 3 * BUDGET;

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** Throws `resource_limit` when nothing is left. */
  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new MathError('resource_limit');
  }
}

/** Counts the work of one comparison, so that it ends in any case; and names its bases. */
export class Work {
  #spent = 0;
  readonly #names: Map<string, string>;

  constructor(
    names = new Map<string, string>(),
    private readonly allowance?: WorkBudget,
  ) {
    this.#names = names;
  }

  /** A fresh budget for expressions that are to be compared with those counted so far. */
  renewed(): Work {
    return new Work(this.#names);
  }

  /** Counts work. Throws `resource_limit` when the budget is used up. */
  spend(cost: number): void {
    this.#spent += cost;
    this.allowance?.spend(cost);
    if (this.#spent > BUDGET) throw new MathError('resource_limit');
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

/** The work of one sum or product with this number. */
export function costOf({ numerator, denominator }: Rational): number {
  const size = numerator < 0n ? -numerator : numerator;
  return COSTS.find(({ limit }) => size < limit && denominator < limit)?.cost ?? COST_MAX;
}
