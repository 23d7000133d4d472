import { CallRefused } from '@agentclash/model-broker';
import { fakeClock } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import type { CallPosition, HandledCall, ToolCall } from '../tools/tool-call-handler.js';
import { ProgramEnding } from './program-ending.js';
import { ProgramTools } from './program-tools.js';

const CALL = { name: 'echo', arguments: {} };
const TOOL_LIMIT: AttemptEnd = { because: 'limit', limit: 'tool_calls' };
const DENIED: AttemptEnd = { because: 'policy', rule: 'max_policy_denials' };

function setUp(handle: (call: ToolCall, position: CallPosition) => HandledCall | Promise<HandledCall>) {
  const fake = fakeClock();
  const ends: AttemptEnd[] = [];
  const running = new AbortController();
  const stage = { signal: running.signal, check: () => running.signal.throwIfAborted() };
  const ending = new ProgramEnding({ stage, clock: fake, end: (reason) => void ends.push(reason.end) });
  let modelCalls = 0;
  const tools = new ProgramTools({
    list: [],
    toolCalls: { handle: async (call, position) => await handle(call, position) },
    ending,
    modelCalls: () => modelCalls,
    endOf: (error) =>
      error instanceof AttemptEnded ? error.end : { because: 'infra', code: 'internal', message: 'broken' },
  });
  const model = (calls: number) => {
    modelCalls = calls;
  };
  return { tools, ending, ends, fake, running, model };
}

describe('The tool calls of a program', () => {
  test('Calls between two model calls share a step, and without models each has its own', async () => {
    const steps: number[] = [];
    const ids = new Set<string>();
    const { tools, model } = setUp(({ id }, { stepIndex }) => {
      ids.add(id);
      steps.push(stepIndex);
      return { result: 1 };
    });
    for (const calls of [0, 0, 1, 1, 2]) {
      model(calls);
      await tools.call(CALL);
    }
    expect(steps).toEqual([0, 1, 1, 1, 2]);
    expect(ids.size).toBe(5);
  });

  test.each([
    ['text', 'text'],
    [{ a: [1] }, '{"a":[1]}'],
    [null, 'null'],
  ])('The result %j is the text %s', async (result, text) => {
    const { tools } = setUp(() => ({ result }));
    expect(await tools.call(CALL)).toEqual({ text, isError: false });
  });

  test('A limit refuses further calls and ends the program some seconds later', async () => {
    const { tools, ending, ends, fake } = setUp(() => ({ result: {}, errorCode: 'budget', end: TOOL_LIMIT }));
    expect(await tools.call(CALL)).toMatchObject({ isError: true });
    await expect(tools.call(CALL)).rejects.toThrow('The attempt has reached its limit of tool calls.');
    expect([ends, ending.reason]).toEqual([[], TOOL_LIMIT]);
    await fake.advance(3_000);
    expect(ends).toEqual([TOOL_LIMIT]);
  });

  test('A violation of the policy ends the program at once', async () => {
    const { tools, ends } = setUp(() => ({ result: {}, errorCode: 'policy', end: DENIED }));
    await tools.call(CALL);
    await expect(tools.call(CALL)).rejects.toThrow(CallRefused);
    expect(ends).toEqual([DENIED]);
  });

  test('An unexpected error ends the attempt as one of the platform, and the program learns no more', async () => {
    const { tools, ends } = setUp(() => {
      throw new Error('/host/path is missing');
    });
    await expect(tools.call(CALL)).rejects.toThrow('The attempt has ended by an error of the platform.');
    expect(ends).toEqual([{ because: 'infra', code: 'internal', message: 'broken' }]);
  });

  test('A call that its end cancels is waited for, and is no reason for the end', async () => {
    const { tools, ending, ends } = setUp(
      () =>
        new Promise((_resolve, reject) => {
          ending.signal.addEventListener('abort', () => setTimeout(() => reject(ending.signal.reason), 20));
        }),
    );
    const refused = expect(tools.call(CALL)).rejects.toThrow(CallRefused);
    let isSettled = false;
    ending.close();
    const settled = tools.settled().then(() => {
      isSettled = true;
    });
    await Promise.resolve();
    expect(isSettled).toBe(false);
    await settled;
    await refused;
    expect([ends, ending.reason]).toEqual([[], undefined]);
    await expect(tools.call(CALL)).rejects.toThrow('The attempt has ended.');
  });

  test('A violation found while the program ends is the end of its attempt', async () => {
    let fail = (_end: AttemptEnd) => {};
    const { tools, ending } = setUp(
      () =>
        new Promise((_resolve, reject) => {
          fail = (end) => reject(new AttemptEnded(end));
        }),
    );
    const refused = expect(tools.call(CALL)).rejects.toThrow(CallRefused);
    ending.close();
    fail({ because: 'policy', rule: 'canary_in_egress' });
    await refused;
    expect(ending.reason).toEqual({ because: 'policy', rule: 'canary_in_egress' });
  });
});
