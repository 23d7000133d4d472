import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mostOf, NgramCounter, NO_NGRAMS, overlap } from './ngrams.js';
import { CodePointAlphabet } from './symbols.js';

test('the n-grams that two texts share are counted at every order', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 1, max: 5 }), (a, b, order) => {
      const [left, right] = countsAt(order, a, b);
      expect(left?.total).toBe(Math.max(0, a.length - order + 1));
      expect(overlap(left ?? NO_NGRAMS, right ?? NO_NGRAMS)).toBe(spelledOverlap(a, b, order));
    }),
  );
});

test('the maximum of several texts counts each n-gram as often as the text with its highest count', () => {
  const [ab, aab, candidate] = countsAt(1, 'ab', 'aab', 'aaab');
  const most = mostOf([ab ?? NO_NGRAMS, aab ?? NO_NGRAMS]);
  expect(most.total).toBe(3);
  expect(overlap(candidate ?? NO_NGRAMS, most)).toBe(3);
});

function countsAt(order: number, ...texts: string[]) {
  const alphabet = new CodePointAlphabet();
  const counter = new NgramCounter(texts.map((text) => alphabet.encode(text)));
  for (let below = 1; below < order; below += 1) counter.next();
  return counter.next();
}

function spelledOverlap(a: string, b: string, order: number): number {
  const unused = spelled(b, order);
  return spelled(a, order).filter((ngram) => {
    const at = unused.indexOf(ngram);
    if (at !== -1) unused.splice(at, 1);
    return at !== -1;
  }).length;
}

function spelled(text: string, order: number): string[] {
  return [...text].map((_, at) => text.slice(at, at + order)).filter((ngram) => ngram.length === order);
}
