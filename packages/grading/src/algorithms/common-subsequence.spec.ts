import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commonSubsequenceLength } from './common-subsequence.js';
import { Alphabet } from './symbols.js';

test('agrees with the textbook table at every length around the word size', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 140, size: 'max' });
  fc.assert(fc.property(items, items, (a, b) => lengthOf(a, b) === textbookLength(a, b)));
});

test('equal sequences have all of it in common, disjoint ones nothing', () => {
  const items = Array.from({ length: 100 }, (_, at) => `item ${at % 40}`);
  expect(lengthOf(items, items)).toBe(100);
  expect(lengthOf(items, ['other'])).toBe(0);
  expect(lengthOf(items, [])).toBe(0);
});

function lengthOf(a: readonly string[], b: readonly string[]): number {
  const alphabet = new Alphabet();
  const [left, right] = [alphabet.encode(a), alphabet.encode(b)];
  return commonSubsequenceLength(left, right, alphabet.size);
}

function textbookLength(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    for (const [column, other] of b.entries()) {
      const longer = item === other ? (row[column] ?? 0) + 1 : 0;
      next.push(Math.max(longer, row[column + 1] ?? 0, next[column] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
