/** Numbers that a seed decides, the same on every machine (mulberry32). */
export class Randomness {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  one<T>(of: readonly T[]): T {
    const chosen = of[Math.floor(this.next() * of.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }
}
