import { expect, test } from '@jest/globals';
import { samplesOf } from './samples.js';

test('samples show every member and kind of value, by few', () => {
  const values = [{ a: 1 }, { a: 2 }, { a: 1, b: null }, { a: 3, b: 'x', c: [{ d: 1 }] }];
  expect(samplesOf(values)).toEqual([
    { a: 3, b: 'x', c: [{ d: 1 }] },
    { a: 1, b: null },
  ]);
});

test('samples of the same thing are one, and there is one of an empty thing', () => {
  expect(samplesOf([{}, {}])).toEqual([{}]);
  expect(samplesOf([])).toEqual([]);
});
