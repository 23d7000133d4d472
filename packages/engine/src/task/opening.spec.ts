import { DEFAULT_LIMITS } from '@agentclash/attempt-plan';
import type { AttemptLimits } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { conversationOpening, nativeOpening, responsesOpening } from './opening.js';
import { buildTask } from './task-document.js';

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
