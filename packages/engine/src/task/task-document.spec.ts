import { DEFAULT_LIMITS } from '@agentclash/attempt-plan';
import type { AttemptLimits } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { taskOf } from '../testing/vectors/view.js';
import {
  buildTask,
  conversationOpening,
  nativeOpening,
  promptOpening,
  responsesOpening,
} from './task-document.js';

describe('the task document', () => {
  const challenge = { title: 'T', instructions: 'Help {{who}}.', definition: {} };

  test('planted files are not named, the others are sorted', () => {
    const files = [
      { path: 'b', bytes: 1 },
      { path: 'key.pem', bytes: 9, planted: true },
      { path: 'a', bytes: 2 },
    ];
    const task = taskOf({ challenge, case: { payload: {} }, files, limits: {} });
    expect(task.files).toEqual([
      { path: 'a', bytes: 2 },
      { path: 'b', bytes: 1 },
    ]);
  });

  test('workspace files are not part of the payload, and an artifact input shows the path of its file', () => {
    const payload = { who: 'Ann', workspace_files: [{ path: 'a', content: 'x' }] };
    const inputs = [{ key: 'ledger', kind: 'file', artifact_key: 'ledger' }];
    const task = taskOf({
      challenge,
      case: { payload, inputs },
      staged: { ledger: 'march/ledger.csv' },
      limits: {},
    });
    expect(task.payload).toEqual({ who: 'Ann' });
    expect(task.inputs).toEqual([{ key: 'ledger', kind: 'file', file: 'march/ledger.csv' }]);
    expect(task.instructions).toBe('Help Ann.');
  });

  test('a system prompt has the policy texts in their order, blank ones left out', () => {
    const task = taskOf({ challenge, case: { payload: {} }, limits: { max_iterations: 3 } });
    const policy_spec = { success_conditions: 'Be right.', role: 'You are a clerk.', instructions: ' ' };
    const [system, user] = nativeOpening({ policy_spec, output_schema: { type: 'object' } }, task);
    expect(system).toMatchObject({
      role: 'system',
      text: expect.stringMatching(/^You are a clerk\.\n\nBe right\.\n\nYou work/),
    });
    expect(system).toMatchObject({ text: expect.stringContaining('{"type":"object"}') });
    expect(user).toMatchObject({ role: 'user', text: expect.stringMatching(/^T\n\nHelp \{\{who\}\}\./) });
  });

  test('a prompt without tools gets its data only where the instruction did not place it', () => {
    const task = taskOf({ challenge, case: { payload: { who: 'Ann' } }, limits: {} });
    expect(promptOpening({}, task, true)).toEqual([{ role: 'user', text: 'Help Ann.' }]);
    expect(promptOpening({}, task, false)).toMatchObject([{ text: expect.stringContaining('"who": "Ann"') }]);
  });
});

const taskWith = (limits: Partial<AttemptLimits>) =>
  buildTask({
    challenge: { title: 'Add' },
    case: { payload: {}, inputs: [] },
    files: [],
    tools: [],
    limits: { ...DEFAULT_LIMITS, ...limits },
  });

const OPENINGS = [
  ['native', (limits: Partial<AttemptLimits>) => nativeOpening({}, taskWith(limits))],
  ['conversation', (limits: Partial<AttemptLimits>) => conversationOpening({}, taskWith(limits))],
  ['responses', (limits: Partial<AttemptLimits>) => responsesOpening({}, taskWith(limits), false)],
] as const;

describe('the prompt of a model', () => {
  test.each(OPENINGS)('the %s prompt leaves out limits whose 0 means unlimited', (_name, open) => {
    const text = JSON.stringify(open({ max_tool_calls: 0, max_policy_denials: 0 }));
    expect(text).not.toContain('max_tool_calls');
    expect(text).not.toContain('max_policy_denials');
    expect(text).toContain('max_iterations');
  });

  test.each(OPENINGS)('the %s prompt states the limits that hold', (_name, open) => {
    const [system] = open({ max_tool_calls: 7, max_policy_denials: 3 });
    expect(system).toMatchObject({ text: expect.stringContaining('"max_tool_calls":7') });
    expect(system).toMatchObject({ text: expect.stringContaining('"max_policy_denials":3') });
  });
});
