import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wordDiff } from './word-diff.js';

const sideOf = (side: 'left' | 'right', parts: ReturnType<typeof wordDiff>) =>
  parts.flatMap((part) => (part.in === side || part.in === 'both' ? part.text : [])).join('');

const words = fc
  .array(fc.constantFrom('the', 'result', 'is', 'six', '6', '.', ' ', '\n', 'ß', '😀'), { maxLength: 40 })
  .map((parts) => parts.join(''));

describe('a diff by words', () => {
  test('the parts of each side together are its text, whatever the texts are', () => {
    fc.assert(
      fc.property(words, words, (left, right) => {
        const parts = wordDiff(left, right);
        expect([sideOf('left', parts), sideOf('right', parts)]).toEqual([left, right]);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        const parts = wordDiff(left, right);
        expect([sideOf('left', parts), sideOf('right', parts)]).toEqual([left, right]);
      }),
    );
  });

  test('only the words that differ are marked, removed before added', () => {
    expect(wordDiff('the result is 6 apples', 'the result is 3 pears')).toEqual([
      { in: 'both', text: 'the result is ' },
      { in: 'left', text: '6' },
      { in: 'right', text: '3' },
      { in: 'both', text: ' ' },
      { in: 'left', text: 'apples' },
      { in: 'right', text: 'pears' },
    ]);
    expect(wordDiff('a b c d', 'a c d e').filter((part) => part.in !== 'both')).toHaveLength(2);
    expect(wordDiff('same', 'same')).toEqual([{ in: 'both', text: 'same' }]);
    expect(wordDiff('', '')).toEqual([]);
  });

  test('texts with thousands of different words are compared in bounded time', () => {
    const [left, right] = ['l', 'r'].map((side) =>
      Array.from({ length: 50_000 }, (_, n) => `${side}${n}`).join(' '),
    );
    const startedAt = performance.now();
    const parts = wordDiff(`begin ${left} end`, `begin ${right} end`);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(parts.map((part) => part.in)).toEqual(['both', 'left', 'right', 'both']);
  });
});
