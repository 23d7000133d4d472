import type { ReplayStep } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import picocolors from 'picocolors';
import { RENDERED_TYPES, stepText } from './step-text.js';

const paint = picocolors.createColors(false);

const STEP: ReplayStep = {
  number: 3,
  type: 'tool.call',
  status: 'failed',
  source: 'scripted_agent',
  step_index: 2,
  started_at: '2026-03-01T12:00:00.000Z',
  finished_at: '2026-03-01T12:00:01.500Z',
  duration_ms: 1_500,
  sequence_numbers: [7, 8],
  input: { tool_name: 'exec', arguments: { command: ['ls'] } },
  result: {
    tool_name: 'exec',
    arguments: { command: ['ls'] },
    resolution_chain: [{ name: 'exec', layer: 'primitive' }],
    result: { error: 'it ended with 2', code: 'exit_nonzero', exit_code: 2, stdout: 'one' },
    error: { code: 'exit_nonzero', message: 'it ended with 2' },
    failure_origin: 'primitive',
  },
};

const noted = (type: string, result: Record<string, unknown>): ReplayStep => ({
  ...STEP,
  type,
  status: 'noted',
  duration_ms: null,
  sequence_numbers: [9],
  input: null,
  result,
});

const read = (step: ReplayStep, charactersMax?: number) => stepText(step, { paint, charactersMax });

describe('A step of a program’s models', () => {
  test('A refused, restricted or failed model call is a sentence, not a code', () => {
    expect(read(noted('model.call.refused', { reason: 'connections' }))).toMatch(
      /request refused.*\n\s+reason {2}The broker refused a connection beyond those that a program may have\.$/,
    );
    const removed = [{ path: 'tools[0]', feature: 'server tool web_search' }];
    expect(read(noted('model.call.restricted', { call_id: 'c', removed }))).toMatch(
      /request restricted.*\n\s+reason {2}Removed from the request, .* server tool web_search at tools\[0\]\.$/,
    );
    const failed = { class: 'auth', model: 'm-1', status: 403, tries: 1, message: 'refused' };
    expect(read({ ...STEP, type: 'model.call', input: { call_id: 'c' }, result: failed })).toContain(
      'error  The call of m-1 failed (status 403, auth): refused.',
    );
  });
});

describe('a step of a replay', () => {
  test('a step shows its number, topic, duration, events and messages', () => {
    expect(
      read({ ...STEP, result: { ...STEP.result, result: { error: 'it ended with 2', code: 'x' } } }).split(
        '\n',
      ),
    ).toEqual([
      '    3  ✗ tool call  exec  1.5 s  #7-8',
      '         command  ["ls"]',
      '         error  exit_nonzero: it ended with 2',
      '         stage  primitive',
    ]);
    expect(read(STEP)).toMatch(/→ exit_code {2}2\n\s+→ stdout {2}one$/);
  });

  test('a text of several lines is shown below its label', () => {
    const content = 'def a():\n    return 1\n';
    const step = {
      ...STEP,
      input: { tool_name: 'write_file', arguments: { path: 'a.py', content } },
      result: null,
    };
    expect(read(step).split('\n').slice(1)).toEqual([
      '         path  a.py',
      '         content',
      '           def a():',
      '               return 1',
    ]);
  });

  test('a test that waited for CPU shows the wait, which its limit did not count', () => {
    const executed = { validator_key: 'tests', command: 'true', exit_code: 0, timed_out: false };
    const type = 'grader.verification.code_executed';
    expect(read(noted(type, { ...executed, starved_ms: 12_400 }))).toMatch(
      /ended {2}exit code 0.*without its waits for CPU of 12\.4 s/,
    );
    expect(read(noted(type, executed))).not.toContain('CPU');
  });

  test('a model call shows its text, its tool calls and its usage', () => {
    const text = read({
      ...STEP,
      type: 'model.call',
      status: 'completed',
      input: { call_id: 'm1', message_count: 2 },
      result: {
        model: 'small',
        response_model: 'small-2026',
        tries: 2,
        text: 'I shall look.',
        tool_calls: [{ id: 'c', name: 'read_file', arguments: { path: 'a' } }],
        finish_reason: 'tool_calls',
        usage: { input: 120, output: 40, cached_input: 100, reasoning: null },
        cost_usd: 0.01,
        timing: { ttft_ms: 350 },
      },
    });
    expect(text.split('\n').slice(1)).toEqual([
      '         text  I shall look.',
      '         calls read_file  {"path":"a"}',
      '         used  120 tokens in (100 cached), 40 out, $0.0100, first token after 350 ms',
    ]);
    expect(text).toContain('small-2026, 2 tries');
  });

  test('an agent without a sandbox has no tools and no policy to show', () => {
    const input = {
      kind: 'scripted',
      mode: 'prompt_eval',
      policy: { kinds: ['file'] },
      tools: [{ name: 'submit' }],
    };
    const open = { ...STEP, type: 'system.run', result: null };
    expect(read({ ...open, input: { ...input, sandbox: null } })).not.toMatch(/file|submit|sandbox/);
    expect(read({ ...open, input: { ...input, sandbox: { provider: 'p', egress: 'none' } } })).toContain(
      'kinds  file',
    );
  });

  test('An ended program shows its model calls, and the tool calls that the platform executed for it', () => {
    const ended = (kind: string, counts: object) =>
      read({
        ...{ ...STEP, type: 'system.run', input: { kind, mode: 'native' } },
        result: { outcome: 'completed', ...counts },
      });
    expect(ended('program', { step_count: 0, model_call_count: 3, tool_call_count: 0 })).toContain(
      'ended  completed, 3 model calls, 0 tool calls through the platform',
    );
    expect(ended('model', { step_count: 2, model_call_count: 2, tool_call_count: 1 })).toContain(
      'ended  completed, 2 steps, 2 model calls, 1 tool call',
    );
    expect(ended('scripted', { step_count: 2, tool_call_count: 1 })).toContain(
      'ended  completed, 2 steps, 1 tool call',
    );
  });

  test('An imported attempt names the format of its source, and no calls whose number is not known', () => {
    const text = read({
      ...{ ...STEP, type: 'system.run', input: { kind: 'imported', imported: { format: 'jsonl' } } },
      result: { outcome: 'completed', step_count: 0, model_call_count: null, tool_call_count: null },
    });
    expect(text).toContain('imported from jsonl');
    expect(text).toContain('ended  completed, 0 steps');
    expect(text).not.toContain('call');
  });

  test('a model call shows the messages that are new to the model, and names those of earlier steps', () => {
    const messages = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Add 2 and 3.' },
      { role: 'assistant', call_id: 'm0' },
      { role: 'tool', tool_call_id: 't1', tool_name: 'read_file' },
      { role: 'tool', tool_call_id: 't2', tool_name: 'exec' },
    ];
    const call = { ...STEP, type: 'model.call', status: 'completed' as const, result: { text: '5' } };
    expect(
      read({ ...call, input: { call_id: 'm1', sent: { from: 0, messages } } })
        .split('\n')
        .slice(1),
    ).toEqual([
      '         system  Be brief.',
      '         user  Add 2 and 3.',
      '         sent back  2 results: read_file, exec',
      '         text  5',
    ]);
    const reference = { $ref: 'sha256:0', bytes: 5_242_880 };
    expect(read({ ...call, input: { sent: reference } })).toContain('sent  5.0 MiB, too large to be shown');
  });

  test('a model call of a program shows the results of the tools that the program executed', () => {
    const messages = [
      { role: 'assistant', text: '', tool_calls: [{ id: 't1', name: 'bash' }] },
      { role: 'tool', tool_call_id: 't1', tool_name: 'bash', result: 'one\ntwo' },
    ];
    const call = { ...STEP, type: 'model.call', status: 'completed' as const, result: { text: 'Done.' } };
    expect(
      read({ ...call, input: { sent: { from: 2, messages } } })
        .split('\n')
        .slice(1),
    ).toEqual(['         result of bash', '           one', '           two', '         text  Done.']);
  });

  test('a scoring shows its revision and its verdict, a metric its value or why there is none', () => {
    const scoring = { ...STEP, type: 'scoring', status: 'completed' as const, input: { revision: 2 } };
    const result = { overall: 0.5, passed: false, validity: 'valid' };
    expect(read({ ...scoring, result })).toContain('scoring  revision 2, failed, overall 0.5, valid');
    const failure = { code: 'internal', message: 'broken' };
    expect(read({ ...scoring, status: 'failed', result: failure })).toContain('error  internal: broken');
    const metric = { key: 'tokens', state: 'available', value: 12 };
    expect(read(noted('scoring.metric.recorded', metric))).toContain('metric  tokens, 12');
    const absent = { key: 'cost', state: 'unavailable', value: null };
    expect(read(noted('scoring.metric.recorded', absent))).toContain('metric  cost, unavailable');
  });

  test('a type from a newer server is shown member by member', () => {
    expect(read(noted('agent.dreamt', { of: 'sheep', count: 3 })).split('\n')).toEqual([
      '    3  · agent dreamt  #9',
      '         of  sheep',
      '         count  3',
    ]);
  });

  test('a payload that was too large to travel is shown by its size and address', () => {
    const result = { $ref: 'sha256:00', bytes: 5_242_880, type: 'model.call.completed' };
    const text = read({ ...STEP, type: 'model.call', input: { call_id: 'm1' }, result });
    expect(text).toContain('kept apart  5.0 MiB, too large to be shown: sha256:00');
  });

  test('an end without a start is shown as a whole step', () => {
    expect(read(noted('tool.call.failed', { tool_name: 'exec' }))).toContain('tool call  exec');
  });

  test("an agent's text cannot act on the terminal", () => {
    const evil = '\u001b[2J\u001b]0;title\u0007';
    for (const type of RENDERED_TYPES) {
      const payload = {
        message: evil,
        text: evil,
        path: evil,
        tool_name: evil,
        arguments: { [evil]: evil },
        final_output: evil,
      };
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(read(noted(type, payload))).not.toMatch(/[\u0007\u001b]/);
    }
  });

  test('a long text is cut and shows how much is missing and how to see it, unless all is wanted', () => {
    const step = noted('turn.assistant.message', { message: 'x'.repeat(100) });
    expect(read(step, 10)).toContain(`${'x'.repeat(10)}… 90 more characters (--full)`);
    expect(read(step)).toContain('x'.repeat(100));
  });

  test('any payload can be shown', () => {
    const type = fc.constantFrom(...RENDERED_TYPES, 'unknown');
    fc.assert(
      fc.property(type, fc.dictionary(fc.string(), fc.jsonValue()), (type, payload) => {
        expect(read(noted(type, payload), 50)).not.toBe('');
      }),
    );
  });
});
