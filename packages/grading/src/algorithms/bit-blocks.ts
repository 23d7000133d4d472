import type { Symbols } from './symbols.js';

/** Rows of a dynamic-programming table that one machine word holds. */
const BLOCK_ROWS = 32;

/** One band of rows of a pattern: for every symbol, the rows where the pattern has it, as bits. */
export interface BitBlock {
  readonly masks: Int32Array;
  readonly rows: number;
}

/** The blocks of a pattern from top to bottom. All share one `masks` array, so use each before taking the next. */
export function* bitBlocks(pattern: Symbols, alphabetSize: number): Generator<BitBlock> {
  const masks = new Int32Array(alphabetSize);
  for (let start = 0; start < pattern.length; start += BLOCK_ROWS) {
    const end = Math.min(start + BLOCK_ROWS, pattern.length);
    for (let row = start; row < end; row += 1) {
      const symbol = pattern[row] ?? 0;
      masks[symbol] = (masks[symbol] ?? 0) | (1 << (row - start));
    }
    yield { masks, rows: end - start };
    for (let row = start; row < end; row += 1) masks[pattern[row] ?? 0] = 0;
  }
}
