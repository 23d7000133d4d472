import { describe, expect, test } from '@jest/globals';
import { readJson } from '../values/exact-json.js';
import { compileJsonPath } from './json-path.js';
import { readJsonPathAssertion } from './json-path-assertion.js';

describe('a JSONPath', () => {
  describe('compileJsonPath', () => {
    test('a name after a dot may contain a hyphen', () => {
      expect(select('$.a-b.c-d', '{"a-b":{"c-d":1}}')).toEqual([1]);
    });

    test.each(['', 'a', '$a', '$.', '$[', '$.a[?@.b ==]', '$.a[01]', ' $', '$ ', '$..', '$.a..'])(
      'the text %j is no JSONPath',
      (path) => {
        expect(compileJsonPath(path)).toBeNull();
      },
    );

    test.each([
      ['$', '[1]', [[1]]],
      ['$.a[1:]', '{"a":[1,2,3]}', [2, 3]],
      ['$.a[-1]', '{"a":[1,2,3]}', [3]],
      ['$..b', '{"b":1,"a":[{"b":2}]}', [1, 2]],
      ['$["a b"]', '{"a b":1}', [1]],
      ['$.a[?@.n>1].n', '{"a":[{"n":1},{"n":5}]}', [5]],
      ['$.length', '[1,2]', []],
      ['$.constructor', '{}', []],
    ])('the path %s in the document %s selects the nodes %j', (path, json, nodes) => {
      expect(select(path, json)).toEqual(nodes);
    });

    test('the function match compares the whole text, and search any part, both with RE2', () => {
      expect(select('$[?match(@, "a.c")]', '["abc","xabc"]')).toEqual(['abc']);
      expect(select('$[?search(@, "b+")]', '["abc","ac"]')).toEqual(['abc']);
      expect(select('$[?match(@, "(?=a)a")]', '["a"]')).toEqual([]);
    });

    test('an expression that the document supplies runs in linear time', () => {
      const hostile = JSON.stringify([{ s: 'a'.repeat(20_000), p: '(a+)+b' }]);
      expect(select('$[?search(@.s, @.p)]', hostile)).toEqual([]);
    });
  });

  function select(path: string, json: string): unknown[] {
    const compiled = compileJsonPath(path);
    const reading = readJson(json);
    if (compiled === null || !reading.ok) throw new Error(`cannot read ${path} or ${json}`);
    return [...compiled.select(reading.value)];
  }
});

describe('an assertion about a JSONPath', () => {
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
  ])('the assertion %s has the comparator %s', (text, comparator) => {
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
  ])('the assertion %s is refused because it asserts nothing', (text) => {
    expect(readJsonPathAssertion(text)).toBeNull();
  });
});
