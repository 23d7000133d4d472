import type { ReplayStep } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import picocolors from 'picocolors';
import { stepText } from './step-text.js';

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
  result: { tool_name: 'exec', stdout_tail: 'one\ntwo\n', exit_code: 1, signal: null, duration_ms: 1_500 },
};

describe('a step of a replay', () => {
  test('has its number, what happened, how long it took and the events behind it', () => {
    expect(stepText(STEP, { paint }).split('\n')).toEqual([
      '   3  ✗  tool.call  exec  1.5 s  step 2, scripted_agent, events 7-8',
      '      in  {"tool_name":"exec","arguments":{"command":["ls"]}}',
      '     out  {"exit_code":1}',
      '          stdout_tail: one',
      '          two',
    ]);
  });

  test('what the input has said is not repeated by the result', () => {
    expect(stepText({ ...STEP, result: { ...STEP.input } }, { paint })).not.toContain('out');
  });

  test("an agent's text cannot act on the terminal", () => {
    const step = { ...STEP, result: { message: '\u001b[2J\u001b]0;title\u0007' } };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(stepText(step, { paint })).not.toMatch(/[\u0007\u001b]/);
  });

  test('a long text is cut and says how much is missing, unless all is wanted', () => {
    const step = { ...STEP, input: null, result: { message: 'x'.repeat(100) } };
    expect(stepText(step, { paint, charactersMax: 10 })).toContain(`${'x'.repeat(10)}… 90 more characters`);
    expect(stepText(step, { paint })).toContain('x'.repeat(100));
  });
});
