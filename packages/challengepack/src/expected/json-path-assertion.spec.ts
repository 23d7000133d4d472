import { expect, test } from '@jest/globals';
import { readJsonPathAssertion } from './json-path-assertion.js';

test.each([
  ['$.a', 'exists'],
  [' $.a\n', 'exists'],
  ['{"path":"$.a"}', 'exists'],
  ['{"path":"$.a","value":null}', 'exists'],
  ['{"path":"$.a","value":1}', 'equals'],
  ['{"path":"$.a","comparator":"equals","value":null}', 'equals'],
  ['{"path":"$.a","comparator":"greater_than","value":9007199254740993}', 'greater_than'],
  ['{"path":"$.a","comparator":"matches","value":"^a"}', 'matches'],
  ['{"path":"$.a","comparator":"contains","value":[1]}', 'contains'],
])('%s asserts %s', (text, comparator) => {
  expect(readJsonPathAssertion(text)?.comparator).toBe(comparator);
});

test.each([
  'a',
  '$[',
  '[]',
  '{"path":1}',
  '{"comparator":"exists"}',
  '{"path":"$.a","extra":1}',
  '{"path":"$.a","comparator":"between","value":1}',
  '{"path":"$.a","comparator":"equals"}',
  '{"path":"$.a","comparator":"less_than","value":"1"}',
  '{"path":"$.a","comparator":"matches","value":"(?=a)"}',
  '{"path":"$.a","comparator":"matches","value":1}',
])('%s asserts nothing', (text) => {
  expect(readJsonPathAssertion(text)).toBeNull();
});
