import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test('trims the output, never the expected text', () => {
  const config = { trim: true };
  expect(judge('starts_with', { actual: ' \u0085ab', expected: 'a', config })).toMatchObject({
    verdict: 'pass',
  });
  expect(judge('starts_with', { actual: 'ab', expected: ' a', config })).toMatchObject({
    reason: 'not_found',
  });
});

test('folds both sides', () => {
  const config = { case_insensitive: true };
  expect(judge('starts_with', { actual: 'Straße 1', expected: 'STRASSE', config })).toMatchObject({
    verdict: 'pass',
  });
});
