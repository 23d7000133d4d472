import type { JsonValue } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

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
])('%s: steps %j, calls %j: %s', (mode, expected, made, isMatch) => {
  const tool_calls = made.map((name) => call(name));
  expect(
    judge('trajectory_match', { target: 'tool_calls', config: { mode, expected }, tool_calls }),
  ).toMatchObject({
    reason: isMatch ? null : 'trajectory_mismatch',
  });
});

test('each step is given to the call that leaves the others theirs', () => {
  const expected: JsonValue = [{ tool_name: 'get' }, { tool_name: 'get', arguments: { id: 1 } }];
  const tool_calls = [call('get', { id: 1, deep: true }), call('get', { id: 2 })];
  for (const mode of ['unordered', 'subset', 'superset']) {
    const config = { mode, expected, arguments: 'contains' };
    expect(judge('trajectory_match', { target: 'tool_calls', config, tool_calls })).toMatchObject({
      verdict: 'pass',
    });
  }
});

test('exact arguments are deep-equal ones', () => {
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
