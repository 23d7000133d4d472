import type { Steps } from '@agentclash/challengepack';
import { type BitBlock, bitBlocks, isPauseDue } from './bit-blocks.js';
import type { Symbols } from './symbols.js';

/**
 * The least number of insertions, deletions and replacements between two sequences.
 * Bit-parallel after Myers (1999), 32 rows of the table at a time.
 */
export function* levenshteinDistance(a: Symbols, b: Symbols, alphabetSize: number): Steps<number> {
  const [pattern, text] = a.length <= b.length ? [a, b] : [b, a];
  if (pattern.length === 0) return text.length;
  // How each column changes along the row above the block; above the first block every step costs one.
  const rises = new Int8Array(text.length).fill(1);
  let blocksDone = 0;
  let distance = 0;
  for (const block of bitBlocks(pattern, alphabetSize)) {
    distance = crossBlock(block, text, rises) + pattern.length;
    blocksDone += 1;
    if (isPauseDue(blocksDone, text.length)) yield;
  }
  return distance;
}

/** Replaces the rises above a block by those along its last row, and returns their sum. */
function crossBlock({ masks, rows }: BitBlock, text: Symbols, rises: Int8Array): number {
  const last = rows - 1;
  let up = -1;
  let down = 0;
  let sum = 0;
  for (let column = 0; column < text.length; column += 1) {
    const above = rises[column] ?? 0;
    let equal = masks[text[column] ?? 0] ?? 0;
    const vertical = equal | down;
    if (above < 0) equal |= 1;
    const horizontal = (((equal & up) + up) ^ up) | equal;
    let rise = down | ~(horizontal | up);
    let fall = up & horizontal;
    const below = ((rise >>> last) & 1) - ((fall >>> last) & 1);
    rises[column] = below;
    sum += below;
    rise = (rise << 1) | (above > 0 ? 1 : 0);
    fall = (fall << 1) | (above < 0 ? 1 : 0);
    up = fall | ~(vertical | rise);
    down = rise & vertical;
  }
  return sum;
}
