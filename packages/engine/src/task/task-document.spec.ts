import { describe, expect, test } from '@jest/globals';
import { taskOf } from '../testing/vectors/view.js';
import { nativeOpening, promptOpening } from './opening.js';

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

  test('workspace files are no payload, an artifact input shows where its file lies', () => {
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
