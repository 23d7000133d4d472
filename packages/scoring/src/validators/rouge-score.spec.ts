import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['the cat sat on the mat', 'the cat slept on the rug', {}, 4 / 6],
  ['b a', 'a b', {}, 1 / 2],
  ['b a', 'a b', { variant: 'rouge-1' }, 1],
  ['a b c', 'a b d', { variant: 'rouge-2' }, 1 / 2],
  ['a b', 'a', { beta: 2 }, (5 * 0.5) / (4 * 0.5 + 1)],
  ['a b c', '["x y","a b c"]', {}, 1],
  ['', '', {}, 0],
])('%j against %j with %j: %d', async (actual, expected, config, score) => {
  expect((await judge('rouge_score', { actual, expected, config })).score).toBeCloseTo(score, 12);
});
