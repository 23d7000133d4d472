import { describe, expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

describe('json_schema', () => {
  test.each([
    ['{"n":1.0}', null],
    ['{"n":1.5}', 'schema_violation'],
    ['```json\n{"n":1}\n```', 'unparsable_output'],
    ['{"n":1} ', null],
    ['[', 'unparsable_output'],
  ])('the output %j against the schema has the reason %s', (actual, reason) => {
    const expected = '{"type":"object","properties":{"n":{"type":"integer"}}}';
    expect(judge('json_schema', { actual, expected })).toMatchObject({ reason });
  });
});

describe('json_path_match', () => {
  test.each([
    ['{"a":{"b":1,"c":[1.0]}}', '{"path":"$.a","value":{"c":[1],"b":1.0}}', null],
    ['{"a":1}', '{"path":"$.a","comparator":"not_equals","value":1.0}', 'no_match'],
    ['{}', '{"path":"$.a","comparator":"not_equals","value":1}', 'path_not_found'],
    ['{"a":null}', '{"path":"$.a","comparator":"equals","value":null}', null],
    ['{"a":9007199254740993}', '{"path":"$.a","comparator":"greater_than","value":9007199254740992}', null],
    ['{"a":2}', '{"path":"$.a","comparator":"less_than","value":10}', null],
    ['{"a":[5,1]}', '{"path":"$.a[*]","comparator":"less_than","value":2}', 'no_match'],
    ['{"a":["x","yz"]}', '{"path":"$.a[*]","comparator":"contains","value":"z"}', null],
    ['{"a":[{"k":1}]}', '{"path":"$.a","comparator":"contains","value":{"k":1.0}}', null],
    ['{"a":["42"]}', '{"path":"$.a","comparator":"contains","value":4}', 'no_match'],
    ['{"a":{"k":12}}', '{"path":"$.a","comparator":"contains","value":1}', null],
    ['{"a":7}', '{"path":"$.a","comparator":"matches","value":"7"}', 'no_match'],
    ['{"a-b":1}', '$.a-b', null],
  ])('the document %s against the assertion %s has the reason %s', (actual, expected, reason) => {
    expect(judge('json_path_match', { actual, expected })).toMatchObject({ reason });
  });
});
