import { expect, test } from '@jest/globals';
import { valueText } from './value-text.js';

test.each([
  ['as it is ', 'as it is '],
  [{ value: 'v', text: 't' }, 'v'],
  [{ answer: 'a', note: 'n' }, 'a'],
  [{ value: 5, content: 'c' }, 'c'],
  [{ value: { text: ['deep'] } }, 'deep'],
  [['x'], 'x'],
  [[{ content: 'c' }], 'c'],
  [[5], '[5]'],
  [['x', 'y'], '["x","y"]'],
  [{ value: 5 }, '{"value":5}'],
  [{ b: 1, a: 'z' }, '{"a":"z","b":1}'],
  [1e21, '1e+21'],
  [0.1, '0.1'],
  [true, 'true'],
  [null, 'null'],
])('the value %j has the text %j', (value, text) => {
  expect(valueText(value)).toBe(text);
});
