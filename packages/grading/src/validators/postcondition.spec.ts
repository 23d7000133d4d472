import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

const content = '{"status":"done","n":1.0}';

test.each([
  [{ condition: 'exists' }, null],
  [{ condition: 'not_exists' }, 'file_present'],
  [{ condition: 'contains', value: 'done' }, null],
  [{ condition: 'not_contains', value: 'done' }, 'forbidden_found'],
  [{ condition: 'regex_match', value: '"n":\\d' }, null],
  [{ condition: 'equals', value: content }, null],
  [{ condition: 'equals', value: { n: 1, status: 'done' } }, null],
  [{ condition: 'equals', value: { n: 2 } }, 'not_equal'],
  [{ condition: 'json_path_match', json_path: '$.status', value: 'done' }, null],
  [{ condition: 'json_path_match', json_path: '$.n', value: '1' }, 'no_match'],
  [{ condition: 'json_path_match', json_path: '$.gone', value: 1 }, 'path_not_found'],
])('%j: %s', (config, reason) => {
  const capture = { exists: true, content };
  expect(judge('postcondition', { target: 'file:f', config, capture })).toMatchObject({ reason });
});

test('existence can be checked in a listing, too', () => {
  const listing = { exists: true, entries: [] };
  expect(
    judge('postcondition', { target: 'file:d', config: { condition: 'exists' }, listing }),
  ).toMatchObject({
    verdict: 'pass',
  });
});

test('of a truncated file only a positive hit counts', () => {
  const cut = { target: 'file:f', capture: { exists: true, content: 'abc', truncated: true } };
  const hit = { condition: 'contains', value: 'b' };
  const none = { condition: 'not_contains', value: 'x' };
  expect(judge('postcondition', { ...cut, config: hit })).toMatchObject({ verdict: 'pass' });
  expect(judge('postcondition', { ...cut, config: none })).toMatchObject({
    reason: 'capture_truncated',
  });
});
