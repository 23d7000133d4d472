import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  [true, true, null],
  [false, true, 'file_missing'],
  [true, false, 'file_present'],
  [false, false, null],
])('exists %s, must exist %s: %s', (exists, must_exist, reason) => {
  const config = { must_exist };
  expect(judge('file_exists', { target: 'file:f', config, capture: { exists } })).toMatchObject({
    reason,
  });
  expect(judge('file_exists', { target: 'file:f', config, listing: { exists, entries: [] } })).toMatchObject({
    reason,
  });
});
