import { type BitBlock, bitBlocks } from './bit-blocks.js';
import type { Symbols } from './symbols.js';

const WORD = 2 ** 32;

/** The length of the longest common subsequence. Bit-parallel after Hyyrö (2004), 32 rows of the table at a time. */
export function commonSubsequenceLength(a: Symbols, b: Symbols, alphabetSize: number): number {
  const [pattern, text] = a.length <= b.length ? [a, b] : [b, a];
  const carries = new Uint8Array(text.length);
  let length = 0;
  for (const block of bitBlocks(pattern, alphabetSize)) {
    length += matchedRows(block, text, carries);
  }
  return length;
}

/** Replaces the carries into a block by those out of it, and returns how many of its rows end up matched. */
function matchedRows({ masks, rows }: BitBlock, text: Symbols, carries: Uint8Array): number {
  let unmatched = -1;
  for (let column = 0; column < text.length; column += 1) {
    const mask = masks[text[column] ?? 0] ?? 0;
    const sum = (unmatched >>> 0) + ((unmatched & mask) >>> 0) + (carries[column] ?? 0);
    carries[column] = sum >= WORD ? 1 : 0;
    unmatched = sum | (unmatched & ~mask);
  }
  return rows - bitCount(unmatched & lowBits(rows));
}

function lowBits(count: number): number {
  return count === 32 ? -1 : (1 << count) - 1;
}

function bitCount(word: number): number {
  let left = word;
  let count = 0;
  for (; left !== 0; count += 1) left &= left - 1;
  return count;
}
