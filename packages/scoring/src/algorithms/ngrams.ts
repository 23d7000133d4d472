import type { Steps } from '@agentclash/challengepack';
import type { Symbols } from './symbols.js';

const NGRAMS_PER_PAUSE = 20_000;
/** Above every number an alphabet or a table of n-grams hands out. */
const RADIX = 2 ** 24;

/** How often each n-gram of a sequence occurs. */
export type NgramCounts = ReadonlyMap<number, number>;

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
  *next(): Steps<NgramCounts[]> {
    this.#order += 1;
    if (this.#order > 1) this.#starting = yield* this.#lengthened();
    const counts: NgramCounts[] = [];
    for (const ngrams of this.#starting) counts.push(yield* countEach(ngrams));
    return counts;
  }

  *#lengthened(): Steps<Symbols[]> {
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
        if (at % NGRAMS_PER_PAUSE === NGRAMS_PER_PAUSE - 1) yield;
      }
      lengthened.push(longer);
    }
    return lengthened;
  }
}

/** How many n-grams the two have in common, each counted as often as in the one that has fewer. */
export function overlap(a: NgramCounts, b: NgramCounts): number {
  let common = 0;
  for (const [ngram, count] of a) common += Math.min(count, b.get(ngram) ?? 0);
  return common;
}

export function total(counts: NgramCounts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

function* countEach(ngrams: Symbols): Steps<NgramCounts> {
  const counts = new Map<number, number>();
  for (let at = 0; at < ngrams.length; at += 1) {
    const ngram = ngrams[at] ?? 0;
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
    if (at % NGRAMS_PER_PAUSE === NGRAMS_PER_PAUSE - 1) yield;
  }
  return counts;
}
