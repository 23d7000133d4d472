import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commonSubsequenceLength, levenshteinDistance } from './sequences.js';
import { Alphabet, CodePointAlphabet } from './symbols.js';

describe('levenshteinDistance', () => {
  test.each([
    ['', '', 0],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['日本語', '日本人', 1],
    ['🦊🦊', '🦊', 1],
  ])('the distance from %j to %j is %i edits', (a, b, edits) => {
    expect(distance(a, b)).toBe(edits);
  });

  test('the edit distance equals that of the textbook table at every length around the word size', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 140, size: 'max' });
    fc.assert(fc.property(text, text, (a, b) => distance(a, b) === textbookDistance(a, b)));
  });
});

function distance(a: string, b: string): number {
  const alphabet = new CodePointAlphabet();
  const [left, right] = [alphabet.encode(a), alphabet.encode(b)];
  return levenshteinDistance(left, right, alphabet.size);
}

function textbookDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

test('the longest common subsequence equals that of the textbook table at every length around the word size', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 140, size: 'max' });
  fc.assert(fc.property(items, items, (a, b) => lengthOf(a, b) === textbookLength(a, b)));
});

test('equal sequences have all of it in common, and disjoint ones nothing', () => {
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
