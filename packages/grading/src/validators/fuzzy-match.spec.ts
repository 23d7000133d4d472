import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['hello world', 'hello worle', {}, 21 / 22],
  ['🦊', '🐼', {}, 1 / 2],
  ['', '', {}, 1],
  ['ABC', 'abc', { case_insensitive: true }, 1],
  [' a  b ', 'a b', { normalize: true }, 1],
  ['a', 'b', { relative_to: 'longest' }, 0],
  ['kitten', 'sitting', { relative_to: 'longest' }, 4 / 7],
  ['', 'abc', { relative_to: 'longest' }, 0],
  ['', '', { relative_to: 'longest' }, 1],
])('%j resembles %j with %j: %d', (actual, expected, config, score) => {
  expect(judge('fuzzy_match', { actual, expected, config }).score).toBeCloseTo(score, 12);
});

test('the threshold is inclusive and forgives rounding', () => {
  const text = { actual: 'abc', expected: 'xyz' };
  expect(judge('fuzzy_match', { ...text, config: { threshold: 0.5 } })).toMatchObject({
    verdict: 'pass',
  });
  expect(judge('fuzzy_match', { ...text, config: { threshold: 0.51 } })).toMatchObject({
    verdict: 'fail',
    score: 0.5,
    reason: 'below_threshold',
  });
});
