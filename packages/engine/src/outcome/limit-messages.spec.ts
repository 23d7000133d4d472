import { DEFAULT_LIMITS } from '@agentclash/attempt-plan';
import { LIMIT_KINDS } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { costMessage, limitMessage, tokensMessage } from './limit-messages.js';

const FACTS = {
  limits: { ...DEFAULT_LIMITS, max_tool_calls: 12, max_total_tokens: 4_000, max_cost_usd: 0.25 },
  resources: { memory_bytes: 1024 ** 3 },
  usage: { input: 3_000, output: 500, total: null },
  costUsd: 0.2431,
};

describe('The message of a limit', () => {
  test('The message of a limit that ended an attempt names the setting, its value and the use', () => {
    expect(limitMessage('tokens', FACTS)).toBe('the agent used 3,500 of 4,000 tokens (max_total_tokens)');
    expect(limitMessage('cost', FACTS)).toBe('the agent spent $0.2431 of $0.25 (max_cost_usd)');
    expect(limitMessage('time', FACTS)).toContain('300 seconds (run_timeout_seconds)');
    expect(limitMessage('iterations', FACTS)).toContain('30 (max_iterations)');
    expect(limitMessage('tool_calls', FACTS)).toContain('12 (max_tool_calls)');
    expect(limitMessage('output', FACTS)).toContain('1.0 MiB (max_output_bytes: 1048576)');
    expect(limitMessage('memory', FACTS)).toContain('1.0 GiB of memory (sandbox.memory_bytes: 1073741824)');
  });

  test('The message of a limit is a sentence of its own for every kind', () => {
    const messages = LIMIT_KINDS.map((kind) => limitMessage(kind, FACTS));
    expect(new Set(messages).size).toBe(LIMIT_KINDS.length);
    expect(messages.join()).not.toMatch(/undefined|null|NaN/);
  });

  test('The message of a limit that is too small for any call names the value that is enough', () => {
    const first = { used: 0, reserved: 0, input: 700, output: 16_000, max: 4_000 };
    expect(tokensMessage(first)).toBe(
      'the limit of 4,000 tokens (max_total_tokens) is too small for the next call: 0 are used, its request has about 700, and its reply may have 16,000. Set max_total_tokens to 16,700 or more, or limit the reply of the model',
    );
    expect(costMessage({ used: 0, reserved: 0, call: 0.3, max: 0.25 })).toContain('Set max_cost_usd to $0.3');
  });

  test('The message of a limit that is too small for a further call names what is used and what other calls hold', () => {
    const further = { used: 3_000, reserved: 500, input: 700, output: 100, max: 4_000 };
    expect(tokensMessage(further)).toBe(
      'the limit of 4,000 tokens (max_total_tokens) is too small for the next call: 3,000 are used, calls under way may use 500, its request has about 700, and its reply may have 100',
    );
    expect(costMessage({ used: 0.2, reserved: 0, call: 0.1, max: 0.25 })).toMatch(/\$0.2 are spent.*\$0.1$/);
  });
});
