/** A sequence of small integers: equal integers stand for equal items. */
export type Symbols = Uint32Array;

/** Numbers items in order of first sight, so that sequences of them can be compared as integers. */
export class Alphabet {
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#numbers.size;
  }

  encode(items: readonly string[]): Symbols {
    const symbols = new Uint32Array(items.length);
    for (const [at, item] of items.entries()) symbols[at] = this.#numberOf(item);
    return symbols;
  }

  #numberOf(item: string): number {
    const known = this.#numbers.get(item);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(item, number);
    return number;
  }
}

/** Numbers the code points of texts, likewise. */
export class CodePointAlphabet {
  /** For each code point its number plus one; 0 for one not seen yet. */
  readonly #numbers = new Uint32Array(0x110000);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  encode(text: string): Symbols {
    const symbols = new Uint32Array(text.length);
    let length = 0;
    for (let at = 0; at < text.length; length += 1) {
      const codePoint = text.codePointAt(at) ?? 0;
      symbols[length] = this.#numberOf(codePoint);
      at += codePoint > 0xffff ? 2 : 1;
    }
    return symbols.subarray(0, length);
  }

  #numberOf(codePoint: number): number {
    const known = this.#numbers[codePoint] ?? 0;
    if (known > 0) return known - 1;
    this.#size += 1;
    this.#numbers[codePoint] = this.#size;
    return this.#size - 1;
  }
}
