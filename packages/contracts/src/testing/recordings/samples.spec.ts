import { expect, test } from '@jest/globals';
import { samplesOf } from './samples.js';

test('samples show every member and kind of value, by few', () => {
  const values = [{ a: 1 }, { a: 2 }, { a: 1, b: null }, { a: 3, b: 'x', c: [{ d: 1 }] }];
  expect(samplesOf(values)).toEqual([
    { a: 3, b: 'x', c: [{ d: 1 }] },
    { a: 1, b: null },
  ]);
});

test('samples that are kept stay, and only what shows more is added to them', () => {
  const kept = [{ a: 1 }];
  expect(samplesOf([{ a: 2 }], kept)).toEqual(kept);
  expect(samplesOf([{ a: 2 }, { a: 2, b: true }], kept)).toEqual([{ a: 1 }, { a: 2, b: true }]);
});

test('samples of the same thing are one, and there is one of an empty thing', () => {
  expect(samplesOf([{}, {}])).toEqual([{}]);
  expect(samplesOf([])).toEqual([]);
});
