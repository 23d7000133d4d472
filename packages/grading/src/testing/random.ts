import { SeededRandom } from '../statistics/seeded-random.js';

/** Distributions and permutations for simulations. */
export class Random extends SeededRandom {
  /** How many of `trials` succeed. */
  binomial(trials: number, rate: number): number {
    let successes = 0;
    for (let trial = 0; trial < trials; trial += 1) if (this.uniform() < rate) successes += 1;
    return successes;
  }

  /** The values in a random order. */
  shuffled<T>(values: readonly T[]): T[] {
    const ranked = values.map((value) => ({ value, rank: this.uniform() }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ value }) => value);
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** A rate with this mean; the smaller `concentration`, the closer to 0 or 1. */
  beta(mean: number, concentration: number): number {
    const left = this.gamma(mean * concentration);
    const right = this.gamma((1 - mean) * concentration);
    // Both underflow only for shapes near 0, where the distribution is two points.
    if (left + right === 0) return this.uniform() < mean ? 1 : 0;
    return left / (left + right);
  }

  /** By Marsaglia and Tsang. */
  private gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * (1 - this.uniform()) ** (1 / shape);
    const d = shape - 1 / 3;
    for (;;) {
      const x = this.normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(1 - this.uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  }
}
