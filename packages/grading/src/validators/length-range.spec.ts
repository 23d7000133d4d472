import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['characters', '🦊é', 2],
  ['words', ' a\u3000b\n', 2],
  ['lines', 'a', 1],
  ['lines', 'a\n', 1],
  ['lines', 'a\nb', 2],
  ['lines', 'a\r\nb\r\n', 2],
  ['lines', '\n\n', 2],
])('in %s, %j is %i long', (unit, actual, length) => {
  expect(judge('length_range', { actual, config: { unit, min: length, max: length } })).toMatchObject({
    verdict: 'pass',
  });
  expect(judge('length_range', { actual, config: { unit, min: length + 1 } })).toMatchObject({
    reason: 'out_of_range',
  });
});

test('an empty output passes only where `min: 0` is written', () => {
  expect(judge('length_range', { actual: '', config: { min: 0, max: 5 } })).toMatchObject({
    verdict: 'pass',
  });
  expect(judge('length_range', { actual: '', config: { max: 5 } })).toMatchObject({
    reason: 'empty_output',
  });
});
