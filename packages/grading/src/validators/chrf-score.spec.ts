import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['a b c', 'abc', {}, 1],
  ['abcabc', 'abcabc', { char_order: 10 }, 1],
  ['ab', 'ac', { char_order: 1 }, 1 / 2],
  ['ab', 'ac', { char_order: 2 }, 1 / 4],
  ['AB', 'ab', { case_insensitive: true }, 1],
  ['ab', '["xy","ab"]', {}, 1],
  [' ', '', {}, 1],
  [' ', 'a', {}, 0],
])('%j against %j with %j: %d', (actual, expected, config, score) => {
  expect(judge('chrf_score', { actual, expected, config }).score).toBe(score);
});
