import { expect, test } from '@jest/globals';
import { reasonOf } from './attempt-end.js';

test('the reason of a completed attempt is recorded as `answer`, as in every release', () => {
  expect(reasonOf({ because: 'completed', finishedBy: 'submit', output: '5' })).toBe('answer');
});

test('the reason of every other end is recorded as it is', () => {
  expect(reasonOf({ because: 'limit', limit: 'time' })).toBe('limit');
  expect(reasonOf({ because: 'cancelled' })).toBe('cancelled');
});
