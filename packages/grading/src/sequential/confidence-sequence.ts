/** Intervals of the grid of means: its points are 0, 1/2000, 2/2000, … 1. */
const STEPS = 2_000;

/** ½ on the grid: two lanes with equal means. */
const HALF = STEPS / 2;

/** The wealth against a mean that is impossible. */
const CERTAIN = Number.POSITIVE_INFINITY;

/** Sums of many values between 0 and 1 err by less. */
const ROUNDING = 1e-9;

export interface SequenceOptions {
  /** N: the number of values, 1 or more. */
  readonly population: number;
  /** The probability that the interval ever misses the mean of all N values, between 0 and 1. */
  readonly alpha: number;
}

/** A part of the grid. Means outside of it are excluded only by what is still possible. */
export interface GridRange {
  readonly first: number;
  readonly last: number;
}

const WHOLE_GRID: GridRange = { first: 0, last: STEPS };

/** The part that verdicts depend on: ½ ± margin/2 and one point more on either side. */
export function verdictRange(margin: number): GridRange {
  const reach = Math.ceil(HALF * margin) + 1;
  return { first: Math.max(0, HALF - reach), last: Math.min(STEPS, HALF + reach) };
}

/**
 * A confidence sequence for the mean of N values within 0..1 that are drawn in random order without replacement: with
 * probability 1 − alpha the mean lies within the interval after every value at once, so that a reader may stop at any.
 * Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2024), sections 4 and 5; the means
 * are a grid of 2,001 points, and bounds are rounded outward to it.
 */
export class ConfidenceSequence {
  private readonly values: number[] = [];
  private readonly threshold: number;
  private readonly logThreshold: number;
  /** Wealth of the bets that the mean is above, and below, each point of the grid. */
  private readonly above = new Float64Array(STEPS + 1).fill(1);
  private readonly below = new Float64Array(STEPS + 1).fill(1);
  /** The points that are not excluded. There is always one. */
  private low: number;
  private high: number;
  private size: number;
  private total = 0;
  /** Σ (xᵢ − mᵢ)², by which the bets know the spread. */
  private squares = 0;

  constructor(
    { population, alpha }: SequenceOptions,
    private readonly range = WHOLE_GRID,
  ) {
    this.size = population;
    this.threshold = 2 / alpha;
    this.logThreshold = Math.log(this.threshold);
    this.low = range.first;
    this.high = range.last;
  }

  /** t: the values so far. */
  get count(): number {
    return this.values.length;
  }

  /** N, less what has left the population. */
  get population(): number {
    return this.size;
  }

  /** The mean of the values so far; null before the first. */
  get mean(): number | null {
    return this.count === 0 ? null : this.total / this.count;
  }

  /** All values of the population have been drawn. */
  get isComplete(): boolean {
    return this.count >= this.size;
  }

  /** The next value in the drawn order, within 0..1. */
  add(value: number): void {
    this.bet(value, this.values.length + 1);
    this.values.push(value);
  }

  /**
   * One value less in the population: the drawn item has none. All bets are settled again with the smaller N; what was
   * excluded remains so.
   */
  shrinkPopulation(): void {
    this.size -= 1;
    this.total = 0;
    this.squares = 0;
    this.above.fill(1);
    this.below.fill(1);
    for (const [index, value] of this.values.entries()) this.bet(value, index + 1);
  }

  /** The interval of the mean of all N values; an end that is no multiple of 1/2000 is a bound of what is still possible. */
  get interval(): [lower: number, upper: number] {
    const { least, most } = this.possible();
    const within = (mean: number) => Math.min(most, Math.max(least, mean));
    const lower = this.low > this.range.first ? (this.low - 1) / STEPS : 0;
    const upper = this.high < this.range.last ? (this.high + 1) / STEPS : 1;
    return [within(lower), within(upper)];
  }

  /** 1: the mean is certainly above ½; −1: certainly below ½; 0: neither is certain. */
  get side(): -1 | 0 | 1 {
    const { least, most } = this.possible();
    if (this.low > HALF || least > 0.5 + ROUNDING) return 1;
    if (this.high < HALF || most < 0.5 - ROUNDING) return -1;
    return 0;
  }

  /** Σ/N and (Σ + N − t)/N: the mean if every value to come were 0, or 1. */
  private possible(): { least: number; most: number } {
    if (this.size === 0) return { least: 0, most: 1 };
    const least = this.total / this.size;
    return { least, most: Math.min(1, least + (this.size - this.count) / this.size) };
  }

  /** Settles the bets on the t-th value, which were made before it was known. */
  private bet(value: number, t: number): void {
    const rest = this.size - t + 1;
    const stake = Math.sqrt((2 * this.logThreshold) / ((0.25 + this.squares) * Math.log(1 + t)));
    const { above, below, size, total } = this;
    for (let point = this.low; point <= this.high; point += 1) {
      // The mean of the values that are left, were `point` the mean of all.
      const exact = ((size * point) / STEPS - total) / rest;
      let mean = exact;
      if (exact < 0) mean = 0;
      else if (exact > 1) mean = 1;
      // At most half of the wealth is at stake: min(stake, ½/mean)·(value − mean).
      const up = (stake * mean < 0.5 ? stake : 0.5 / mean) * (value - mean);
      const down = (stake * (1 - mean) < 0.5 ? stake : 0.5 / (1 - mean)) * (value - mean);
      above[point] = exact < -ROUNDING ? CERTAIN : (above[point] ?? 1) * (1 + up);
      below[point] = exact > 1 + ROUNDING ? CERTAIN : (below[point] ?? 1) * (1 - down);
    }
    while (this.low < this.high && (above[this.low] ?? 0) >= this.threshold) this.low += 1;
    while (this.high > this.low && (below[this.high] ?? 0) >= this.threshold) this.high -= 1;
    this.total += value;
    this.squares += (value - (0.5 + this.total) / (t + 1)) ** 2;
  }
}
