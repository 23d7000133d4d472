import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

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
])('%j: %s', (config, reason) => {
  expect(judge('tool_call_assertion', { target: 'tool_calls', config, tool_calls: calls })).toMatchObject({
    reason,
  });
});

test('points at the matching calls, else at all', () => {
  const at = (tool_name: string) =>
    judge('tool_call_assertion', { target: 'tool_calls', config: { tool_name }, tool_calls: calls }).evidence;
  expect(at('read')).toEqual({ from_sequence: 3, to_sequence: 3 });
  expect(at('search')).toEqual({ from_sequence: 1, to_sequence: 4 });
  expect(at('write')).toEqual({ from_sequence: 1, to_sequence: 4 });
});

test('no call at all is a result', () => {
  expect(judge('tool_call_assertion', { target: 'tool_calls', config: { count: 0 } })).toMatchObject({
    verdict: 'pass',
    evidence: null,
  });
});

test('more calls than are read make an error, not a verdict', () => {
  const many = Array.from({ length: 10_001 }, () => call('a'));
  expect(
    judge('tool_call_assertion', { target: 'tool_calls', config: { count: 0 }, tool_calls: many }),
  ).toMatchObject({
    outcome: 'evaluator_error',
    reason: 'input_too_large',
  });
});
