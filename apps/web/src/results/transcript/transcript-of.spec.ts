import type { ReplayStep } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { shownAt } from './shown-value.js';
import { transcriptOf } from './transcript-of.js';
import { spanOf, type Turn } from './turns.js';

let number = 0;

function step(type: string, more: Partial<ReplayStep> = {}): ReplayStep {
  number += 1;
  return {
    ...{ number, type, status: 'completed', source: 'native_engine', step_index: 1 },
    ...{
      started_at: '2026-01-02T03:04:05.000Z',
      finished_at: '2026-01-02T03:04:06.500Z',
      duration_ms: 1_500,
    },
    ...{ sequence_numbers: [2 * number, 2 * number + 1], input: null, result: null },
    ...more,
  };
}

const started = (instructions: string, more: Partial<ReplayStep> = {}) =>
  step('system.run', { input: { task: { title: 'T', instructions } }, ...more });
const sent = (...messages: object[]) => ({ call_id: 'm', sent: { from: 0, messages } });

/** A line for each turn, as a reader sees it. */
function shape(turns: readonly Turn[]): string[] {
  return turns.map(shapeOf);
}

function shapeOf(turn: Turn): string {
  if (turn.kind === 'prompt') return `${turn.role}: ${turn.text.value}`;
  if (turn.kind === 'command') return `command ${turn.argv}: ${turn.exit}: ${turn.output?.value}`;
  if (turn.kind === 'output') return `output: ${turn.text.value}`;
  if (turn.kind === 'note') return `note: ${turn.text}`;
  const calls = turn.calls.map(
    ({ name, result, isFailed }) => `${name} -> ${result?.value ?? 'nothing'}${isFailed ? ' failed' : ''}`,
  );
  return [turn.kind, ('text' in turn && turn.text?.value) || '', ...calls].filter(Boolean).join(' | ');
}

describe('a transcript', () => {
  test('a transcript begins with the prompt as it was sent, and has each tool call with its result below the reply', () => {
    const turns = transcriptOf([
      started('Add 2 and 3.'),
      step('model.call', {
        input: sent({ role: 'system', text: 'You add.' }, { role: 'user', text: 'Add 2 and 3.' }),
        result: { text: 'I look.', tool_calls: [{ id: 't1', name: 'read_file', arguments: { path: 'a' } }] },
      }),
      step('tool.call', {
        input: { tool_call_id: 't1', tool_name: 'read_file' },
        result: { result: 'five' },
      }),
      step('sandbox.file.read', { result: { path: 'a' } }),
      step('model.call', {
        input: sent(
          { role: 'assistant', call_id: 'm' },
          { role: 'tool', tool_call_id: 't1', tool_name: 'read_file' },
        ),
        result: { text: '5', tool_calls: [] },
      }),
      step('system.output.finalized', { status: 'noted', result: { final_output: '5' } }),
    ]);
    expect(shape(turns)).toEqual([
      'system: You add.',
      'user: Add 2 and 3.',
      'reply | I look. | read_file -> five',
      'reply | 5',
    ]);
  });

  test('the tools of a program have the results that it sent back, and a failed tool has its error', () => {
    const turns = transcriptOf([
      started('Fix it.'),
      step('sandbox.command', {
        input: { origin: 'program', argv: ['agent', '--go'] },
        result: { exit_code: 1, stdout_tail: 'log', stderr_tail: '' },
      }),
      step('model.call', {
        input: sent({ role: 'user', text: 'Fix it.' }),
        result: { text: '', tool_calls: [{ id: 't1', name: 'exec', arguments: {} }] },
      }),
      step('model.call', {
        input: sent({ role: 'tool', tool_call_id: 't1', tool_name: 'exec', result: 'ok' }),
        result: { text: 'done', tool_calls: [] },
      }),
      step('tool.call', {
        status: 'failed',
        input: { tool_call_id: 'x', tool_name: 'read_file' },
        result: { error: { message: 'no such file' } },
      }),
    ]);
    expect(shape(turns)).toEqual([
      'user: Fix it.',
      'command agent --go: exit code 1: log',
      'user: Fix it.',
      'reply | exec -> ok',
      'reply | done',
      'tool | read_file -> no such file failed',
    ]);
  });

  test('a message of a conversation is shown once, though the call of the model repeats it', () => {
    const fromUser = (message: string) =>
      step('turn.user.message', { status: 'noted', result: { message, actor: 'llm' } });
    const call = (user: string, text: string) =>
      step('model.call', { input: sent({ role: 'user', text: user }), result: { text, tool_calls: [] } });
    const turns = transcriptOf([
      fromUser('Hello'),
      call('Hello', 'Hi'),
      step('turn.assistant.message', { status: 'noted', result: { message: 'Hi' } }),
      fromUser('Bye'),
      call('Bye', 'Goodbye'),
    ]);
    expect(shape(turns)).toEqual(['user: Hello', 'reply | Hi', 'user: Bye', 'reply | Goodbye']);
  });

  test('an agent without observed models has its task, its tools and its output', () => {
    const turns = transcriptOf([
      started('Write 12.', {
        status: 'failed',
        result: { outcome: 'limit_exceeded', error: { message: 'too many steps' } },
      }),
      step('tool.call', {
        input: { tool_call_id: 'a', tool_name: 'write_file', arguments: { path: 'x' } },
        result: { result: 'written' },
      }),
      step('policy.violation', { status: 'noted', result: { rule: 'network', message: 'denied' } }),
      step('system.output.finalized', { status: 'noted', result: { final_output: '12' } }),
    ]);
    expect(shape(turns)).toEqual([
      'user: Write 12.',
      'tool | write_file -> written',
      'note: policy.violation: denied',
      'output: 12',
      'note: limit exceeded: too many steps',
    ]);
  });

  test('a failed call of a model and messages that are stored separately are noted', () => {
    const whole = { at: ['input', 'sent'], event: 8, length: 5_242_880 };
    const turns = transcriptOf([
      step('model.call', {
        status: 'failed',
        input: { sent: { $ref: 'sha256:0', bytes: 5_242_880 } },
        result: { class: 'rate_limited', message: 'slow down', tries: 3 },
        cuts: [whole],
      }),
    ]);
    expect(turns.map(({ kind }) => kind)).toEqual(['note', 'note']);
    expect(turns[0]).toMatchObject({ isProblem: false, whole: { whole: { event: 8, path: [] } } });
    expect(turns[1]).toMatchObject({ isProblem: true, text: expect.stringContaining('slow down') });
  });

  test('each reply has tokens, cost, latency and the time to the first token', () => {
    const [turn] = transcriptOf([
      step('model.call', {
        result: {
          ...{ text: 'x', tool_calls: [], model: 'm-1', response_model: 'm-1-2026', finish_reason: 'length' },
          usage: { input: 1_200, output: 30, cached_input: 1_000, reasoning: null },
          ...{ cost_usd: 0.02, tries: 2, timing: { queued_ms: 0, ttft_ms: 400, total_ms: 1_400 } },
        },
      }),
    ]);
    expect(turn).toMatchObject({
      figures: {
        ...{ model: 'm-1-2026', inputTokens: 1_200, outputTokens: 30, cachedTokens: 1_000, costUsd: 0.02 },
        ...{ firstTokenMs: 400, durationMs: 1_400, finishReason: 'length', tries: 2 },
      },
    });
    expect(spanOf(turn === undefined ? [] : [turn])).toEqual({
      from: Date.parse('2026-01-02T03:04:05.000Z'),
      to: Date.parse('2026-01-02T03:04:06.500Z'),
    });
  });
});

test('a value that is not whole names the event and the place in its payload', () => {
  const cut = step('model.call', {
    input: { sent: { messages: [{ text: 'be' }] } },
    result: { tool_calls: [{ arguments: { content: 'ab' } }] },
    cuts: [
      { at: ['input', 'sent', 'messages', 0, 'text'], event: 7, length: 900 },
      { at: ['result', 'tool_calls', 0, 'arguments', 'content'], event: 9, length: 500 },
    ],
  });
  expect(shownAt(cut, ['input', 'sent', 'messages', 0, 'text'])).toEqual({
    value: 'be',
    whole: { event: 7, path: ['messages', 0, 'text'], length: 900 },
  });
  expect(shownAt(cut, ['result', 'tool_calls', 0, 'arguments'])).toEqual({
    value: { content: 'ab' },
    whole: { event: 9, path: ['tool_calls', 0, 'arguments'], length: 500 },
  });
  expect(shownAt(cut, ['result', 'text'])).toBeUndefined();
});
