import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['{"n":1.0}', null],
  ['{"n":1.5}', 'schema_violation'],
  ['```json\n{"n":1}\n```', 'unparsable_output'],
  ['{"n":1} ', null],
  ['[', 'unparsable_output'],
])('%j: %s', (actual, reason) => {
  const expected = '{"type":"object","properties":{"n":{"type":"integer"}}}';
  expect(judge('json_schema', { actual, expected })).toMatchObject({ reason });
});
