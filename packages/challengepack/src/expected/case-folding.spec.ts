import { expect, test } from '@jest/globals';
import { foldCase } from './case-folding.js';

test.each([
  ['STRASSE', 'straße'],
  ['ẞ', 'ss'],
  ['ΟΔΟΣ', 'οδος'],
  ['ΑΣ Σ', 'ας σ'],
  ['ﬀ', 'FF'],
  ['K', 'k'],
  ['ſ', 'S'],
  ['ᾳ', 'αι'],
  ['İ', 'i̇'],
  ['Ꭰ', 'ꭰ'],
  ['ŉ', 'ʼN'],
])('the text %s folds as %s', (a, b) => {
  expect(foldCase(a)).toBe(foldCase(b));
});

test.each([
  ['ı', 'i'],
  ['ı', 'I'],
  ['é', 'e'],
  ['ø', 'o'],
])('the text %s does not fold as %s', (a, b) => {
  expect(foldCase(a)).not.toBe(foldCase(b));
});

test('folding twice changes nothing more, for every character', () => {
  for (let start = 0; start <= 0x10ffff; start += 0x1000) {
    const characters = Array.from({ length: 0x1000 }, (_, at) => String.fromCodePoint(start + at)).join(' ');
    expect(foldCase(foldCase(characters)) === foldCase(characters)).toBe(true);
  }
});
