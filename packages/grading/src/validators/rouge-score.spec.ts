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
  ['The cat sat.', 'the cat sat', {}, 1 / 3],
  ['The Cat sat.', 'the cat sat', { tokenizer: 'rouge' }, 1],
  ['It runs-on, now', 'it runs on!', { tokenizer: 'rouge' }, 6 / 7],
  ['the cats were running', 'the cat was run', { tokenizer: 'rouge', stemmer: true }, 3 / 4],
  ['the cats were running', 'the cat was run', { tokenizer: 'rouge' }, 1 / 4],
  ['!?', '...', { tokenizer: 'rouge' }, 0],
])('%j against %j with %j: %d', (actual, expected, config, score) => {
  expect(judge('rouge_score', { actual, expected, config }).score).toBeCloseTo(score, 12);
});
