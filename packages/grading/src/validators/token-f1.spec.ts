import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['a b', 'b a', {}, 1],
  ['a a b', 'a b b', {}, 2 / 3],
  ['The Cat!', 'cat', { normalize: true, remove_punctuation: true, remove_articles: true }, 1],
  ['The Cat', 'cat', { remove_articles: true }, 0],
  ['...', 'a', { remove_punctuation: true }, 0],
  ['...', '!', { remove_punctuation: true }, 1],
])('%j against %j with %j: %d', (actual, expected, config, score) => {
  expect(judge('token_f1', { actual, expected, config }).score).toBeCloseTo(score, 12);
});
