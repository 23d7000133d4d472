import type { JsonValue } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';
import { containsFragment } from './tool-calls.js';

describe('tool_call_assertion', () => {
  const call = (tool_name: string, args: Record<string, unknown> = {}, failed = false) => ({
    tool_name,
    arguments: args,
    failed,
  });
  const calls = [
    call('search', { q: 'a' }),
    call('search', {}, true),
    call('read', { id: 7 }),
    call('search', { q: 'b' }),
  ];

  test.each([
    [{ tool_name: 'search' }, null],
    [{ tool_name: 'write' }, 'call_missing'],
    [{ tool_name: 'write', must_call: false }, null],
    [{ tool_name: 'search', must_call: false }, 'call_forbidden'],
    [{ arguments_contain: { q: 'b' } }, null],
    [{ tool_name: 'read', arguments_contain: { id: 8 } }, 'call_missing'],
    [{ tool_name: 'search', count: 2 }, null],
    [{ tool_name: 'search', count: 3 }, 'call_count'],
    [{ tool_name: 'write', max_count: 1 }, null],
    [{ tool_name: 'write', min_count: 1 }, 'call_count'],
    [{ tool_name: 'write', must_call: true, max_count: 1 }, 'call_missing'],
    [{ count: 3 }, null],
    [{ ordered_tools: ['search', 'search'] }, null],
    [{ ordered_tools: ['read', 'read'] }, 'call_order'],
    [{ ordered_tools: ['search', 'read'], order_mode: 'exact' }, 'call_order'],
    [{ ordered_tools: ['search', 'read', 'search'], order_mode: 'exact' }, null],
    [{ tool_name: 'search', count: 1, ordered_tools: ['x'] }, 'call_count'],
  ])('the assertion %j on the tool calls has the reason %s', (config, reason) => {
    expect(judge('tool_call_assertion', { target: 'tool_calls', config, tool_calls: calls })).toMatchObject({
      reason,
    });
  });

  test('the result points at the matching calls, or at all calls when none matches', () => {
    const at = (tool_name: string) =>
      judge('tool_call_assertion', { target: 'tool_calls', config: { tool_name }, tool_calls: calls })
        .evidence;
    expect(at('read')).toEqual({ from_sequence: 3, to_sequence: 3 });
    expect(at('search')).toEqual({ from_sequence: 1, to_sequence: 4 });
    expect(at('write')).toEqual({ from_sequence: 1, to_sequence: 4 });
  });

  test('an attempt without tool calls has a result', () => {
    expect(judge('tool_call_assertion', { target: 'tool_calls', config: { count: 0 } })).toMatchObject({
      verdict: 'pass',
      evidence: null,
    });
  });

  test('more calls than the limit cause an error, not a verdict', () => {
    const many = Array.from({ length: 10_001 }, () => call('a'));
    expect(
      judge('tool_call_assertion', { target: 'tool_calls', config: { count: 0 }, tool_calls: many }),
    ).toMatchObject({
      outcome: 'evaluator_error',
      reason: 'input_too_large',
    });
  });
});

describe('trajectory_match', () => {
  const call = (tool_name: string, args: Record<string, unknown> = {}, failed = false) => ({
    tool_name,
    arguments: args,
    failed,
  });

  test.each([
    ['strict', ['a', 'b'], ['a', 'b'], true],
    ['strict', ['a', 'b'], ['b', 'a'], false],
    ['strict', ['a', 'b'], ['a'], false],
    ['unordered', ['a', 'b', 'b'], ['b', 'a', 'b'], true],
    ['unordered', ['a', 'b'], ['b', 'b'], false],
    ['subset', ['a', 'b'], [], true],
    ['subset', ['a', 'b'], ['b', 'b'], false],
    ['superset', ['a'], ['c', 'a'], true],
    ['superset', ['a', 'a'], ['a', 'c', 'c'], false],
  ])(
    'trajectory_match in mode %s of the steps %j and the calls %j passes: %s',
    (mode, expected, made, isMatch) => {
      const tool_calls = made.map((name) => call(name));
      expect(
        judge('trajectory_match', { target: 'tool_calls', config: { mode, expected }, tool_calls }),
      ).toMatchObject({
        reason: isMatch ? null : 'trajectory_mismatch',
      });
    },
  );

  test('each step is matched to a call so that the other steps keep a call', () => {
    const expected: JsonValue = [{ tool_name: 'get' }, { tool_name: 'get', arguments: { id: 1 } }];
    const tool_calls = [call('get', { id: 1, deep: true }), call('get', { id: 2 })];
    for (const mode of ['unordered', 'subset', 'superset']) {
      const config = { mode, expected, arguments: 'contains' };
      expect(judge('trajectory_match', { target: 'tool_calls', config, tool_calls })).toMatchObject({
        verdict: 'pass',
      });
    }
  });

  test('exact arguments are compared by deep equality', () => {
    const config = { expected: [{ tool_name: 'get', arguments: { id: 1 } }], arguments: 'exact' };
    const made = (args: Record<string, unknown>) => ({
      target: 'tool_calls',
      config,
      tool_calls: [call('get', args)],
    });
    expect(judge('trajectory_match', made({ id: 1.0 }))).toMatchObject({ verdict: 'pass' });
    expect(judge('trajectory_match', made({ id: 1, more: true }))).toMatchObject({ verdict: 'fail' });
  });

  test('failed calls and submit count only where they are required', () => {
    const tool_calls = [call('a', {}, true), call('a'), call('submit')];
    const judged = (config: Record<string, boolean | string[]>) =>
      judge('trajectory_match', { target: 'tool_calls', config, tool_calls });
    expect(judged({ expected: ['a'] })).toMatchObject({ verdict: 'pass' });
    expect(judged({ expected: ['a', 'submit'] })).toMatchObject({ verdict: 'pass' });
    expect(judged({ expected: ['a', 'a'], include_failed: true })).toMatchObject({ verdict: 'pass' });
  });
});

describe('arguments_contain', () => {
  test.each([
    [{ a: 1, b: 2 }, { a: 1.0 }, true],
    [{ a: 1 }, {}, true],
    [{ a: { b: [1, { c: 2, d: 3 }] } }, { a: { b: [{ c: 2 }] } }, true],
    [[1, 2, 3], [3, 1], true],
    [[1], [1, 1], false],
    [[{ a: 1, b: 2 }, { a: 1 }], [{ a: 1 }, { a: 1, b: 2 }], true],
    [{ a: null }, { a: null }, true],
    [{}, { a: null }, false],
    [{}, { constructor: {} }, false],
    [[1], { 0: 1 }, false],
    ['abc', 'b', false],
  ])('the arguments %j contain %j: %s', (value, fragment, contains) => {
    expect(containsFragment(value, fragment)).toBe(contains);
  });
});
