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

const PAGE_BITS = 8;
const PAGE_SIZE = 2 ** PAGE_BITS;

/** Numbers the code points of texts, likewise. */
export class CodePointAlphabet {
  /** By the upper bits of a code point, for each of its lower ones its number plus one; 0 for one not seen yet. */
  readonly #pages = new Map<number, Uint32Array>();
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
    const page = this.#pageOf(codePoint >>> PAGE_BITS);
    const at = codePoint & (PAGE_SIZE - 1);
    const known = page[at] ?? 0;
    if (known > 0) return known - 1;
    this.#size += 1;
    page[at] = this.#size;
    return this.#size - 1;
  }

  #pageOf(number: number): Uint32Array {
    const known = this.#pages.get(number);
    if (known !== undefined) return known;
    // Few texts need more than one or two pages; a table of all code points costs more than most comparisons.
    const page = new Uint32Array(PAGE_SIZE);
    this.#pages.set(number, page);
    return page;
  }
}
