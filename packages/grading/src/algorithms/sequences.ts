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

/** Rows of a dynamic-programming table that one machine word holds. */
const BLOCK_ROWS = 32;

/** One band of rows of a pattern: for every symbol, the rows where the pattern has it, as bits. */
interface BitBlock {
  readonly masks: Int32Array;
  readonly rows: number;
}

/** The blocks of a pattern from top to bottom. All share one `masks` array, so use each before taking the next. */
function* bitBlocks(pattern: Symbols, alphabetSize: number): Generator<BitBlock> {
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
