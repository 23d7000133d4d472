import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repeatedKey } from './repeated-key.js';

test.each([
  ['{"a": 1, "a": 2}', { key: 'a', offset: 9 }],
  ['[{"a": 1}, {"a": 2}]', undefined],
  ['{"a": {"b": 1, "b": 2}}', { key: 'b', offset: 15 }],
  ['{"a": {"a": ["a", "a"]}, "b": "a"}', undefined],
  ['{"\\u0061": 1, "a": 2}', { key: 'a', offset: 14 }],
  ['{"a\\"": "{", "b" \n: 1, "b"\t: 2}', { key: 'b', offset: 23 }],
  ['{"__proto__": 1, "__proto__": 2}', { key: '__proto__', offset: 17 }],
])('the key that an object has twice is found in %s', (json, expected) => {
  expect(repeatedKey(json)).toEqual(expected);
});

test('no value that is written once has a repeated key', () => {
  fc.assert(
    fc.property(fc.json(), (json) => expect(repeatedKey(JSON.stringify(JSON.parse(json)))).toBeUndefined()),
  );
});
