import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['the cat sat', '["a dog ran","the cat sat"]', {}, 1],
  ['the the the', '["the cat","the the dog"]', { max_ngram: 1 }, 2 / 3],
  ['a b', 'a b c d', { max_ngram: 1 }, Math.exp(-1)],
  ['a b c', '["a b","a b c d"]', { max_ngram: 1 }, 1],
  ['a b c d', 'a x c y', { smoothing: 'method1', max_ngram: 2 }, Math.sqrt((1 / 2) * (1 / 4))],
  ['x y', 'a b', { smoothing: 'method1' }, 0],
  [' ', '', {}, 1],
  [' ', '["","a"]', {}, 0],
  ['A  b', 'a B', { case_insensitive: true, normalize: true }, 1],
])('%j against %j with %j: %d', async (actual, expected, config, score) => {
  expect((await judge('bleu_score', { actual, expected, config })).score).toBeCloseTo(score, 12);
});
