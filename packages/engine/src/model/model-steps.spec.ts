import { describe, expect, test } from '@jest/globals';
import { AttemptEvents } from '../events/attempt-events.js';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { FakeModel, type FakeReply } from '../testing/fake-model.js';
import { ModelSteps } from './model-steps.js';
import { Spending } from './spending.js';
import { Steps } from './steps.js';

function workOf(reply: FakeReply, context: { check?: () => void } = {}) {
  const clock = { now: () => 0, monotonic: () => 0 };
  const identity = {
    run_id: 'r',
    run_agent_id: 'a',
    attempt_id: 't',
    delivery: 1,
    case_key: 'c',
    repetition: 1,
  };
  const events = new AttemptEvents({
    identity,
    source: 'native_engine',
    evidenceLevel: 'native_structured',
    clock,
    emit: () => undefined,
    redact: (value) => value,
  });
  const handled: string[] = [];
  const work = new ModelSteps(
    {
      model: new FakeModel([reply]),
      toolCalls: {
        handle: async ({ id, name }) => {
          handled.push(id);
          return name === 'submit' ? { result: { accepted: true }, submitted: 'done' } : { result: null };
        },
      },
      tools: [],
      steps: new Steps({ events, clock }),
      events,
      spending: new Spending({ max_total_tokens: null, max_cost_usd: null }),
      signal: new AbortController().signal,
      check: () => undefined,
      ...context,
    },
    [],
  );
  return { work, handled };
}

const calls = (...names: string[]): FakeReply => ({ calls: names.map((name) => ({ name, args: {} })) });

describe('one step of a model', () => {
  test('one step of a model starts no further call once the attempt has ended', async () => {
    let checks = 0;
    const check = () => {
      checks += 1;
      if (checks > 1) throw new AttemptEnded({ because: 'cancelled' });
    };
    const { work, handled } = workOf(calls('a', 'b', 'c'), { check });
    await expect(work.step()).rejects.toThrow(AttemptEnded);
    expect(handled).toEqual(['0.0']);
  });

  test('one step of a model starts no call after an accepted submit, and leaves none without a result', async () => {
    const { work, handled } = workOf(calls('a', 'submit', 'b'));
    expect(await work.step()).toEqual({ submitted: 'done' });
    expect(handled).toEqual(['0.0', '0.1']);
    expect(work.messages.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : []))).toEqual([
      '0.0',
      '0.1',
      '0.2',
    ]);
  });

  test('one step of a model appends no empty message, which providers would refuse', async () => {
    const { work } = workOf({ text: '' });
    expect(await work.step()).toEqual({ message: '' });
    expect(work.messages).toEqual([]);
  });

  test('one step of a model passes the continuation of the provider on', async () => {
    const { work } = workOf({ text: 'hm', continuation: { signed: 'abc' } });
    await work.step();
    expect(work.messages).toEqual([
      { role: 'assistant', text: 'hm', toolCalls: [], continuation: { signed: 'abc' } },
    ]);
  });
});
