import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test('finds what is forbidden, with letters folded only when configured', () => {
  const sorry = { actual: 'so SORRY', expected: 'sorry' };
  expect(judge('not_contains', sorry)).toMatchObject({ verdict: 'pass' });
  expect(judge('not_contains', { ...sorry, config: { case_insensitive: true } })).toMatchObject({
    verdict: 'fail',
    reason: 'forbidden_found',
  });
});

test('nothing forbidden is a pack error: every text contains the empty one', () => {
  expect(judge('not_contains', { actual: 'a', expected: '' })).toMatchObject({
    outcome: 'pack_error',
    reason: 'empty_expected',
  });
});
