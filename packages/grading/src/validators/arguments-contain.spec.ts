import { expect, test } from '@jest/globals';
import { containsFragment } from './arguments-contain.js';

test.each([
  [{ a: 1, b: 2 }, { a: 1.0 }, true],
  [{ a: 1 }, {}, true],
  [{ a: { b: [1, { c: 2, d: 3 }] } }, { a: { b: [{ c: 2 }] } }, true],
  [[1, 2, 3], [3, 1], true],
  [[1], [1, 1], false],
  [[{ a: 1, b: 2 }, { a: 1 }], [{ a: 1 }, { a: 1, b: 2 }], true],
  [{ a: null }, { a: null }, true],
  [{}, { a: null }, false],
  [{}, { constructor: {} }, false],
  [[1], { 0: 1 }, false],
  ['abc', 'b', false],
])('%j contains %j: %s', (value, fragment, contains) => {
  expect(containsFragment(value, fragment)).toBe(contains);
});
