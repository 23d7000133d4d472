/** A sequence of small integers: equal integers stand for equal items. */
export type Symbols = Uint32Array;

/** Numbers items in order of first sight, so that sequences of them can be compared as integers. */
export class Alphabet {
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#numbers.size;
  }

  encode(items: Iterable<string>): Symbols {
    return Uint32Array.from(items, (item) => this.#numberOf(item));
  }

  #numberOf(item: string): number {
    const known = this.#numbers.get(item);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(item, number);
    return number;
  }
}
