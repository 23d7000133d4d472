import { expect, test } from '@jest/globals';
import { withVersionNumber } from './version-number.js';

test.each([
  ['version:\n  number: 1 # count up\n  x: 1\n', 'version:\n  number: 12 # count up\n  x: 1\n'],
  ['{"version": {"number": 1}}', '{"version": {"number": 12}}'],
  ['pack: {}\n', 'pack: {}\n'],
])('only the number of the version changes in %j', (text, changed) => {
  expect(withVersionNumber(text, 12)).toBe(changed);
});
