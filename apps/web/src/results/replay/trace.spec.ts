import type { ReplayStep } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callFacts, stepFigures, totalsText, tracesOf } from './trace.js';

function step(number: number, type: string, part: Partial<ReplayStep> = {}): ReplayStep {
  const at = '2026-01-01T00:00:00Z';
  return {
    ...{ number, type, status: 'completed', source: 'program_agent', step_index: null },
    ...{ started_at: at, finished_at: at, duration_ms: 0, sequence_numbers: [number] },
    ...{ input: null, result: null, ...part },
  };
}

interface Call {
  sent?: object[];
  text?: string;
  calls?: [id: string, name: string, given?: object][];
}

const modelCall = (number: number, { sent = [], text = '', calls = [] }: Call) =>
  step(number, 'model.call', {
    input: { call_id: `m${number}`, sent: { from: 0, messages: sent } },
    result: { text, tool_calls: calls.map(([id, name, given = {}]) => ({ id, name, arguments: given })) },
  });

const result = (tool_call_id: string, tool_name: string, text: string) => ({
  ...{ role: 'tool', tool_call_id, tool_name, result: text },
});

describe('the trace of a program', () => {
  const exec = { cmd: 'pytest -q' };
  const steps = [
    modelCall(1, {
      sent: [
        { role: 'system', text: 'You are an agent.' },
        { role: 'user', text: 'Fix the tests.' },
      ],
      text: 'I run them.',
      calls: [['t1', 'exec_command', exec]],
    }),
    step(2, 'network.request.blocked'),
    modelCall(3, {
      sent: [
        { role: 'assistant', text: 'I run them.', tool_calls: [{ id: 't1', name: 'exec_command' }] },
        result('t1', 'exec_command', '1 failed'),
      ],
      text: 'Done.',
      calls: [['t2', 'apply_patch']],
    }),
  ];

  test('a tool use has the result that the program sends back with a later call', () => {
    const traces = tracesOf(steps);
    expect(traces.get(1)?.uses).toEqual([
      { key: '0 t1', name: 'exec_command', arguments: exec, result: '1 failed' },
    ]);
    expect(traces.get(3)?.uses).toEqual([{ key: '0 t2', name: 'apply_patch', arguments: {} }]);
    expect(traces.get(2)).toBeUndefined();
  });

  test('a message that an earlier step shows is named, and every other one is shown', () => {
    expect(tracesOf(steps).get(3)?.sent).toEqual([
      { role: 'assistant', text: 'reply to a previous call, above', isNote: true },
      { role: 'tool', text: 'result of exec_command, above', isNote: true },
    ]);
    const without = tracesOf(steps.slice(2)).get(3)?.sent;
    expect(without).toEqual([
      { role: 'assistant', text: 'I run them.\nexec_command ', isNote: false },
      { role: 'tool', text: 'exec_command: 1 failed', isNote: false },
    ]);
  });

  test('results with the same id belong to the tool uses in their order', () => {
    const traces = tracesOf([
      modelCall(1, { calls: [['read_file', 'read_file']] }),
      modelCall(2, {
        sent: [result('read_file', 'read_file', 'one')],
        calls: [['read_file', 'read_file']],
      }),
      modelCall(3, { sent: [result('read_file', 'read_file', 'two')] }),
    ]);
    expect([1, 2].map((number) => traces.get(number)?.uses[0]?.result)).toEqual(['one', 'two']);
  });

  test('messages that are stored apart are named with their size', () => {
    const apart = step(1, 'model.call', { input: { sent: { $ref: 'sha256:0', bytes: 2_097_152 } } });
    expect(tracesOf([apart]).get(1)?.sent).toEqual([
      { role: 'messages', text: '2.0 MiB, too large to be shown', isNote: true },
    ]);
  });
});

test('a tool use of our loop leads to the step of the tool, and its messages are named', () => {
  const messages = [
    { role: 'system', text: 'Be brief.' },
    { role: 'assistant', call_id: 'm1' },
    { role: 'tool', tool_call_id: 't1', tool_name: 'read_file' },
  ];
  const traces = tracesOf([
    modelCall(1, { calls: [['t1', 'read_file']] }),
    step(2, 'tool.call', { input: { tool_call_id: 't1' } }),
    modelCall(3, { sent: messages }),
  ]);
  expect(traces.get(1)?.uses).toEqual([{ key: '0 t1', name: 'read_file', arguments: {}, step: 2 }]);
  expect(traces.get(3)?.sent).toEqual([
    { role: 'system', text: 'Be brief.', isNote: false },
    { role: 'assistant', text: 'reply to a previous call, above', isNote: true },
    { role: 'tool', text: 'result of read_file, above', isNote: true },
  ]);
});

test('any events of another release are read without an error', () => {
  const payload = fc.dictionary(fc.constantFrom('sent', 'tool_calls', 'text', 'usage'), fc.jsonValue());
  fc.assert(
    fc.property(payload, payload, (input, reply) => {
      const steps = [step(1, 'model.call', { input, result: reply })];
      expect([...tracesOf(steps).keys()]).toEqual([1]);
      totalsText(steps);
    }),
  );
});

describe('the figures of model calls', () => {
  const usage = { input: 12_300, output: 56, cached_input: 9_000, reasoning: 0, total: null };
  const call = {
    usage,
    cost_usd: 0.0421,
    model: 'm',
    response_model: 'm-1',
    tries: 2,
    timing: { ttft_ms: 310 },
  };

  test('the line of a call has its tokens and its cost, and another step has none', () => {
    expect(stepFigures(step(1, 'model.call', { result: call }))).toBe('12.3K in · 56 out · $0.04');
    expect(stepFigures(step(1, 'tool.call', { result: call }))).toBe('');
    const served = { ...call, cost_usd: 0, served_from: 'replay' };
    expect(stepFigures(step(1, 'model.call', { result: served }))).toBe('12.3K in · 56 out · from replay');
  });

  test('a reply of a model without a price has an unknown cost, and a call that failed has none', () => {
    const unpriced = { ...call, cost_usd: null };
    expect(stepFigures(step(1, 'model.call', { result: unpriced }))).toBe('12.3K in · 56 out · cost unknown');
    expect(callFacts(unpriced)).toContain('56 tokens out · cost unknown · ');
    expect(stepFigures(step(1, 'model.call', { result: { class: 'timeout' } }))).toBe('');
  });

  test('the details of a call have every figure that is known', () => {
    expect(callFacts({ ...call, finish_reason: 'tool_calls' })).toBe(
      'm-1 · 12,300 tokens in · 9,000 of them cached · 56 tokens out · $0.04 · first token after 310 ms · tool calls · 2 tries',
    );
    expect(callFacts(null)).toBe('');
  });

  test('the totals of an attempt are the sums of what its calls report', () => {
    const tool_calls = [{ id: 't1', name: 'bash' }];
    const steps = [
      step(1, 'model.call', { result: { ...call, tool_calls } }),
      step(2, 'model.call', { result: { usage: { input: null, output: 4 }, cost_usd: null } }),
      step(3, 'tool.call'),
    ];
    expect(totalsText(steps)).toBe(
      '2 model calls · 1 tool use · 12.3K tokens in · 60 out · cost unknown (at least $0.04)',
    );
    expect(totalsText(steps.slice(0, 1))).toBe(
      '1 model call · 1 tool use · 12.3K tokens in · 56 out · $0.04',
    );
    expect(totalsText([step(1, 'tool.call')])).toBe('');
  });
});
