import { expect, test } from '@jest/globals';
import { readReferenceList } from './expected-readers.js';

test.each<[string, string[] | null]>([
  ['plain', ['plain']],
  ['', ['']],
  ['["a","b"]', ['a', 'b']],
  ['[""]', ['']],
  ['[not json', ['[not json']],
  [' ["a"]', [' ["a"]']],
  ['[]', null],
  ['[1]', null],
  ['["a",null]', null],
])('the text %j has the references %j', (text, references) => {
  expect(readReferenceList(text)).toEqual(references);
});
