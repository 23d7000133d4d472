/** A sequence of small integers: equal integers encode equal items. */
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

/** Code points below this are their own numbers: most texts need no others, and no looking up. */
const PLAIN_NUMBERS = 256;

/** Numbers the code points of texts, likewise. */
export class CodePointAlphabet {
  readonly #others = new Map<number, number>();

  get size(): number {
    return PLAIN_NUMBERS + this.#others.size;
  }

  encode(text: string): Symbols {
    const symbols = new Uint32Array(text.length);
    let length = 0;
    for (let at = 0; at < text.length; at += 1, length += 1) {
      const unit = text.charCodeAt(at);
      if (unit < PLAIN_NUMBERS) {
        symbols[length] = unit;
        continue;
      }
      const codePoint = text.codePointAt(at) ?? unit;
      symbols[length] = this.#numberOf(codePoint);
      if (codePoint > 0xffff) at += 1;
    }
    return length === text.length ? symbols : symbols.subarray(0, length);
  }

  #numberOf(codePoint: number): number {
    const known = this.#others.get(codePoint);
    if (known !== undefined) return known;
    const number = this.size;
    this.#others.set(codePoint, number);
    return number;
  }
}
