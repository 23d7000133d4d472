import type { ReplayStep } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { align, choose, firstProblem, isProblem, loadedText, stepTopic } from './steps.js';

function step(number: number, part: Partial<ReplayStep> = {}): ReplayStep {
  const at = '2026-01-01T00:00:00Z';
  return {
    ...{ number, type: 'tool.call', status: 'completed', source: 'native_engine', step_index: null },
    ...{
      started_at: at,
      finished_at: at,
      duration_ms: 0,
      sequence_numbers: [number],
      input: null,
      result: null,
    },
    ...part,
  };
}

const steps = fc
  .array(fc.option(fc.nat(5), { nil: null }), { maxLength: 20 })
  .map((indexes) => indexes.map((step_index, index) => step(index + 1, { step_index })));

describe('two replays side by side', () => {
  test('the same step is in the same row of two replays', () => {
    const left = [
      step(1),
      step(2, { step_index: 1 }),
      step(3, { step_index: 1 }),
      step(4, { step_index: 2 }),
    ];
    const right = [step(1), step(2, { step_index: 1 }), step(3, { step_index: 2 })];
    const pairs = align(left, right).map(({ left: a, right: b }) => [a?.number ?? null, b?.number ?? null]);
    expect(pairs).toEqual([
      [1, 1],
      [2, 2],
      [3, null],
      [4, 3],
    ]);
  });

  test('neither side loses, repeats or reorders a step', () => {
    fc.assert(
      fc.property(steps, steps, (left, right) => {
        const pairs = align(left, right);
        expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(left);
        expect(pairs.flatMap((pair) => pair.right ?? [])).toEqual(right);
      }),
    );
  });
});

describe('the topic of a step', () => {
  test.each<[string, object, string]>([
    ['scoring', { passed: true, overall: 0.75, validity: 'valid' }, 'passed, overall 0.75, valid'],
    ['scoring', { passed: null, overall: null, validity: 'invalid' }, 'no verdict, overall –, invalid'],
    ['scoring', { code: 'internal', message: 'broken' }, 'broken'],
    [
      'model.call.refused',
      { reason: 'limit' },
      'The broker refused a request beyond a limit of the attempt.',
    ],
    [
      'model.call.restricted',
      { removed: [{ path: 'tools[0]', feature: 'web_search' }] },
      'Removed from the request, since the provider would execute it itself: web_search at tools[0].',
    ],
    [
      'model.call',
      { class: 'auth', model: 'm-1', status: 403, tries: 1, message: 'refused' },
      'The call of m-1 failed (status 403, auth): refused.',
    ],
    [
      'network.request.completed',
      { method: 'POST', scheme: 'https', host: 'agent.example', status: 200, bytes: 2_048 },
      'POST https://agent.example, status 200, 2.0 KiB',
    ],
    [
      'network.request.blocked',
      { method: 'CONNECT', scheme: 'https', host: 'evil.example', reason: 'not_allowed', count: 3 },
      'CONNECT https://evil.example, not_allowed, 3 requests',
    ],
    ['sandbox.created', { provider: 'bubblewrap', image: null }, 'bubblewrap'],
    ['sandbox.destroyed', { reason: 'finished' }, 'finished'],
    ['system.run', { kind: 'program', mode: 'native', outcome: 'completed' }, 'program in native, completed'],
    [
      'system.run',
      { kind: 'program', mode: 'native', outcome: 'limit_reached', limit_kind: 'time' },
      'program in native, limit reached (time)',
    ],
    ['system.run', { kind: 'endpoint', error: { message: 'broken' } }, 'broken'],
    ['tool.call', { tool_name: 'read_file', arguments: { path: 'a' } }, 'read_file {"path":"a"}'],
    ['scoring.metric.recorded', { key: 'tokens', state: 'available', value: 12 }, 'tokens 12'],
    ['scoring.metric.recorded', { key: 'cost', state: 'unavailable', value: null }, 'cost unavailable'],
  ])('the topic of a step of type %s with %j is derived from its result', (type, result, topic) => {
    expect(stepTopic(step(1, { type, result: { ...result } }))).toBe(topic);
  });
});

describe('what is shown of a replay', () => {
  const all = [
    step(1, { type: 'model.call', result: { text: 'I shall Read it.' } }),
    step(2, { type: 'tool.call', status: 'failed', input: { tool_name: 'read_file' } }),
    step(3, { type: 'network.request.blocked', result: { host: 'evil.example' } }),
  ];

  test.each([
    ['all', '', [1, 2, 3]],
    ['tools', '', [2]],
    ['network', '', [3]],
    ['all', 'read', [1, 2]],
    ['problems', '', [2, 3]],
    ['model', 'evil', []],
  ] as const)('steps of kind %s with "%s" in them are shown', (kind, text, numbers) => {
    expect(choose(all, kind, text).map(({ number }) => number)).toEqual(numbers);
  });

  test('the tools of a program are found among its model calls, those of our loop by their own steps', () => {
    const result = { tool_calls: [{ id: 't1', name: 'bash', arguments: {} }] };
    const calls = [
      step(1, { type: 'model.call', source: 'program_agent', result }),
      step(2, { type: 'model.call', source: 'program_agent', result: { tool_calls: [] } }),
      step(3, { type: 'model.call', source: 'native_engine', result }),
    ];
    expect(choose(calls, 'tools', '').map(({ number }) => number)).toEqual([1]);
  });

  test.each([
    [{ shown: 1, loaded: 1, isAll: true }, '1 step'],
    [{ shown: 3, loaded: 1_200, isAll: true }, '3 of 1,200 steps'],
    [{ shown: 0, loaded: 200, isAll: false }, '0 of 200 steps so far; loading more …'],
    [{ shown: 200, loaded: 200, isAll: false }, '200 steps so far; loading more …'],
  ])('a search shows how many steps it has covered: %o', (loaded, text) => {
    expect(loadedText(loaded)).toBe(text);
  });

  test('the first problem is a step within the run, or else the run itself', () => {
    const run = step(1, { type: 'system.run', status: 'failed' });
    expect(firstProblem([run, ...all])?.number).toBe(2);
    expect(firstProblem([run])).toBe(run);
    expect(firstProblem([step(1)])).toBeUndefined();
  });

  test('failed and blocked steps are problems', () => {
    expect(all.map(isProblem)).toEqual([false, true, true]);
  });
});
