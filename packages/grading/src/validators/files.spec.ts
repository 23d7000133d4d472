import { describe, expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

describe('file_exists', () => {
  test.each([
    [true, true, null],
    [false, true, 'file_missing'],
    [true, false, 'file_present'],
    [false, false, null],
  ])('a file that exists %s and must exist %s has the reason %s', (exists, must_exist, reason) => {
    const config = { must_exist };
    expect(judge('file_exists', { target: 'file:f', config, capture: { exists } })).toMatchObject({
      reason,
    });
    expect(
      judge('file_exists', { target: 'file:f', config, listing: { exists, entries: [] } }),
    ).toMatchObject({
      reason,
    });
  });
});

describe('file_content_match', () => {
  test.each([
    ['contains', 'total: 42', '42', {}, null],
    ['exact', '42\n', '42', {}, 'not_equal'],
    ['exact', 'a \n b', 'a  b', { ignore_whitespace: true }, null],
    ['exact', ' a', 'a', { ignore_whitespace: true }, 'not_equal'],
    ['regex', 'v1.2', '^v\\d', {}, null],
    ['regex', 'x', '^v\\d', {}, 'not_found'],
    ['not_contains', 'a  b', 'a b', {}, null],
    ['not_contains', 'a  b', 'a b', { ignore_whitespace: true }, 'forbidden_found'],
    ['json_equal', '{"b":2.0,"a":[1]}', '{"a":[1.0],"b":2}', {}, null],
    ['json_equal', '{"a":1}', '{"a":2}', {}, 'not_equal'],
    ['json_equal', '', '{}', {}, 'unparsable_output'],
  ])(
    'the match mode %s of %j and %j with %j has the reason %s',
    (match_mode, content, expected, flags, reason) => {
      const capture = { exists: true, content };
      const config = { match_mode, ...flags };
      expect(judge('file_content_match', { target: 'file:f', config, expected, capture })).toMatchObject({
        reason,
      });
    },
  );

  test('a missing file fails even a check for forbidden content', () => {
    const config = { match_mode: 'not_contains' };
    const capture = { exists: false };
    expect(judge('file_content_match', { target: 'file:f', config, expected: 'x', capture })).toMatchObject({
      outcome: 'agent_fail',
      reason: 'file_missing',
    });
  });

  test('an empty forbidden text is a pack error', () => {
    const config = { match_mode: 'not_contains' };
    const capture = { exists: true, content: 'x' };
    expect(judge('file_content_match', { target: 'file:f', config, expected: '', capture })).toMatchObject({
      reason: 'empty_expected',
    });
  });
});

describe('directory_structure', () => {
  const listing = {
    path: '/workspace/out/',
    exists: true,
    entries: [
      { path: '/workspace/out/a.txt', is_dir: false },
      { path: '/workspace/out/src', is_dir: true },
      { path: '/workspace/out/src/b.txt', is_dir: false },
    ],
  };

  test.each([
    [{ required_files: ['a.txt', '/workspace/out/src/b.txt'] }, null],
    [{ required_directories: ['src/'] }, null],
    [{ required_files: ['src'] }, 'structure_mismatch'],
    [{ required_directories: ['a.txt'] }, 'structure_mismatch'],
    [{ forbidden_files: ['b.txt'] }, null],
    [{ forbidden_files: ['src/'] }, 'structure_mismatch'],
    [{ required_files: ['out/a.txt'] }, 'structure_mismatch'],
    [{ required_files: ['constructor'] }, 'structure_mismatch'],
  ])('the structure %j has the reason %s', (config, reason) => {
    expect(judge('directory_structure', { target: 'file:tree', config, listing })).toMatchObject({
      reason,
    });
  });

  test('a listing of relative paths matches whole paths as well', () => {
    const relative = { path: '/w', exists: true, entries: [{ path: 'a', is_dir: false }] };
    const config = { required_files: ['a', '/w/a'] };
    expect(judge('directory_structure', { target: 'file:tree', config, listing: relative })).toMatchObject({
      verdict: 'pass',
    });
  });

  test('a missing directory fails also a check that forbids files', () => {
    const gone = { path: '/w', exists: false, entries: [] };
    const config = { forbidden_files: ['x'] };
    expect(judge('directory_structure', { target: 'file:tree', config, listing: gone })).toMatchObject({
      reason: 'file_missing',
    });
  });
});

describe('postcondition', () => {
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
  ])('the postcondition %j has the reason %s', (config, reason) => {
    const capture = { exists: true, content };
    expect(judge('postcondition', { target: 'file:f', config, capture })).toMatchObject({ reason });
  });

  test('the existence of a file can be checked in a listing, too', () => {
    const listing = { exists: true, entries: [] };
    expect(
      judge('postcondition', { target: 'file:d', config: { condition: 'exists' }, listing }),
    ).toMatchObject({
      verdict: 'pass',
    });
  });

  test('a search in a truncated file counts only when it finds the text', () => {
    const cut = { target: 'file:f', capture: { exists: true, content: 'abc', truncated: true } };
    const hit = { condition: 'contains', value: 'b' };
    const none = { condition: 'not_contains', value: 'x' };
    expect(judge('postcondition', { ...cut, config: hit })).toMatchObject({ verdict: 'pass' });
    expect(judge('postcondition', { ...cut, config: none })).toMatchObject({
      reason: 'capture_truncated',
    });
  });
});
