import { type BitBlock, bitBlocks } from './bit-blocks.js';
import type { Symbols } from './symbols.js';

/**
 * The least number of insertions, deletions and replacements between two sequences.
 * Bit-parallel after Myers (1999), 32 rows of the table at a time.
 */
export function levenshteinDistance(a: Symbols, b: Symbols, alphabetSize: number): number {
  const [pattern, text] = withoutSharedEnds(a.length <= b.length ? [a, b] : [b, a]);
  if (pattern.length === 0) return text.length;
  // How each column changes along the row above the block; above the first block every step costs one.
  const rises = new Int8Array(text.length).fill(1);
  for (const block of bitBlocks(pattern, alphabetSize)) {
    crossBlock(block, text, rises);
  }
  let distance = pattern.length;
  for (const rise of rises) distance += rise;
  return distance;
}

/** The rest of two sequences, the shorter one first, once their common beginning and end are off: neither costs an edit. */
function withoutSharedEnds([short, long]: [Symbols, Symbols]): [Symbols, Symbols] {
  let begin = 0;
  while (begin < short.length && short[begin] === long[begin]) begin += 1;
  const surplus = long.length - short.length;
  let end = short.length;
  while (end > begin && short[end - 1] === long[end - 1 + surplus]) end -= 1;
  if (begin === 0 && end === short.length) return [short, long];
  return [short.subarray(begin, end), long.subarray(begin, end + surplus)];
}

/** Replaces the rises above a block by those along its last row. */
function crossBlock({ masks, rows }: BitBlock, text: Symbols, rises: Int8Array): void {
  const last = rows - 1;
  let up = -1;
  let down = 0;
  for (let column = 0; column < text.length; column += 1) {
    const above = rises[column] ?? 0;
    const rose = (above + 1) >> 1;
    const fell = above >>> 31;
    const mask = masks[text[column] ?? 0] ?? 0;
    const vertical = mask | down;
    const equal = mask | fell;
    const horizontal = (((equal & up) + up) ^ up) | equal;
    const rise = down | ~(horizontal | up);
    const fall = up & horizontal;
    rises[column] = ((rise >>> last) & 1) - ((fall >>> last) & 1);
    const shifted = (rise << 1) | rose;
    up = (fall << 1) | fell | ~(vertical | shifted);
    down = shifted & vertical;
  }
}
