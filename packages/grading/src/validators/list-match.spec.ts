import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['a,b,b', 'b,a', {}, 1],
  ['a\nb', 'a,b', {}, 1],
  ['a,b\nc', 'a,b', {}, 0],
  ['[1.0,{"b":1,"a":2}]', '["1","{\\"a\\":2,\\"b\\":1}"]', {}, 1],
  ['a;;b', '["a","b"]', { separator: ';' }, 1],
  ['a;b', 'a,b', { separator: ';' }, 0],
  ['b,a', 'a,b', { mode: 'ordered' }, 1 / 2],
  ['a,b,a', 'a,b,a', { mode: 'ordered' }, 1],
  ['Straße', 'STRASSE', { case_insensitive: true }, 1],
  [' , ', '[]', {}, 1],
])('%j lists what %j does, with %j: %d', (actual, expected, config, score) => {
  expect(judge('list_match', { actual, expected, config }).score).toBeCloseTo(score, 12);
});
