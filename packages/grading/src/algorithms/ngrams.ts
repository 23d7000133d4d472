import type { Symbols } from './symbols.js';

/** Above every number that an alphabet or a table of n-grams assigns. */
const RADIX = 2 ** 24;

/** The number of occurrences of each n-gram of a sequence, and their total. */
interface NgramCounts {
  readonly counts: ReadonlyMap<number, number>;
  readonly total: number;
}

export const NO_NGRAMS: NgramCounts = { counts: new Map(), total: 0 };

/**
 * Counts the n-grams of several sequences over one alphabet, order after order: the first result is for unigrams.
 * Equal n-grams have equal numbers across the sequences of one order.
 */
export class NgramCounter {
  readonly #sequences: readonly Symbols[];
  /** For each sequence, the number of the n-gram that begins at each place, at the current order. */
  #starting: readonly Symbols[];
  #order = 0;

  constructor(sequences: readonly Symbols[]) {
    this.#sequences = sequences;
    this.#starting = sequences;
  }

  /** The counts of each sequence at the next order. */
  next(): NgramCounts[] {
    this.#order += 1;
    if (this.#order > 1) this.#starting = this.#lengthened();
    return this.#starting.map(countEach);
  }

  #lengthened(): Symbols[] {
    const numbers = new Map<number, number>();
    const lengthened: Symbols[] = [];
    for (const [which, shorter] of this.#starting.entries()) {
      const items = this.#sequences[which] ?? new Uint32Array();
      const longer = new Uint32Array(Math.max(0, shorter.length - 1));
      for (let at = 0; at < longer.length; at += 1) {
        const pair = (shorter[at] ?? 0) * RADIX + (items[at + this.#order - 1] ?? 0);
        const number = numbers.get(pair) ?? numbers.size;
        numbers.set(pair, number);
        longer[at] = number;
      }
      lengthened.push(longer);
    }
    return lengthened;
  }
}

/** The number of common n-grams, each counted as often as in the sequence that has fewer. */
export function overlap(a: NgramCounts, b: NgramCounts): number {
  let common = 0;
  for (const [ngram, count] of a.counts) {
    common += Math.min(count, b.counts.get(ngram) ?? 0);
  }
  return common;
}

/** Each n-gram as often as the sequence that has it most often. */
export function mostOf(sequences: readonly NgramCounts[]): NgramCounts {
  const counts = new Map<number, number>();
  let total = 0;
  for (const sequence of sequences) {
    for (const [ngram, count] of sequence.counts) {
      const more = Math.max(0, count - (counts.get(ngram) ?? 0));
      if (more > 0) counts.set(ngram, (counts.get(ngram) ?? 0) + more);
      total += more;
    }
  }
  return { counts, total };
}

function countEach(ngrams: Symbols): NgramCounts {
  const counts = new Map<number, number>();
  for (let at = 0; at < ngrams.length; at += 1) {
    const ngram = ngrams[at] ?? 0;
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  }
  return { counts, total: ngrams.length };
}
