import type { AttemptPlan, ModelConfig } from '@agentclash/attempt-plan';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { FakeModel, type FakeReply, fakeModels, modelConfig } from '../testing/fake-model.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

const plan = (changes: Partial<AttemptPlan>, config: Partial<ModelConfig> = {}) =>
  attemptPlan({ kind: 'model', config: { ...modelConfig('agent'), ...config } }, changes);
const agent = (...replies: FakeReply[]) => {
  const model = new FakeModel(replies, 'agent');
  return { model, openModel: fakeModels(model) };
};

describe('a model in prompt_eval', () => {
  const mode = 'prompt_eval' as const;

  test('a prompted model is called once, without tools, for an output of the given schema', async () => {
    const { model, openModel } = agent({ text: '{"sum": 5}' });
    const output_schema = { type: 'object', properties: { sum: { type: 'number' } } };
    const { result, events } = await harness.run(plan({ mode }, { output_schema }), { openModel });
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'message', snapshot: null });
    expect(model.requests).toMatchObject([{ tools: [], outputSchema: output_schema }]);
    expect(model.requests[0]?.messages).toEqual([
      { role: 'system', text: expect.stringContaining(JSON.stringify(output_schema)) },
      { role: 'user', text: 'Add 2 and 3.' },
    ]);
    expect(events.payloads('system.run.completed')).toMatchObject([{ step_count: 1 }]);
  });

  test('a model in prompt_eval gets the data after an instruction that places none of it', async () => {
    const { model, openModel } = agent({ text: '5' });
    await harness.run(plan({ mode, challenge: { title: 'T', instructions: 'Add {{them}}.' } }), {
      openModel,
    });
    const [message] = model.requests[0]?.messages ?? [];
    expect(message).toMatchObject({ role: 'user', text: expect.stringMatching(/^Add \{\{them\}\}\.\n\n\{/) });
  });

  test('a model with a blank message fails as `agent_error`', async () => {
    const { openModel } = agent({ text: ' \n' });
    const { result } = await harness.run(plan({ mode }), { openModel });
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'empty_output' } });
  });
});

describe('a model in responses', () => {
  const mode = 'responses' as const;
  const list: FakeReply = { calls: [{ name: 'list_files', args: {} }] };
  const files = [{ path: 'note.txt', content: 'seven' }];

  test('a model in mode responses works with the built-in tools, and its first message is the final output', async () => {
    const { model, openModel } = agent(
      { calls: [{ name: 'read_file', args: { path: 'note.txt' } }] },
      { text: 'The text is seven.' },
      { text: 'a second turn' },
    );
    const { result, events } = await harness.run(plan({ mode, files }), { openModel });
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'message' });
    expect(result.snapshot).not.toBeNull();
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: 'The text is seven.' },
    ]);
    expect(events.payloads('tool.call.completed')).toMatchObject([{ result: { content: 'seven' } }]);
    expect(events.payloads('system.run.started')).toMatchObject([{ mode, sandbox: { egress: 'none' } }]);
    expect(model.requests).toHaveLength(2);
  });

  test('a model in responses gets the rendered instruction alone as its prompt, with the staged files named', async () => {
    const { model, openModel } = agent({ text: '5' });
    await harness.run(plan({ mode, files }), { openModel });
    const [system, user] = model.requests[0]?.messages ?? [];
    expect(system).toMatchObject({ role: 'system', text: expect.stringContaining('first message without') });
    expect(user).toEqual({
      role: 'user',
      text: `Add 2 and 3.\n\n${JSON.stringify({ files: [{ path: 'note.txt', bytes: 5 }] }, null, 2)}`,
    });
  });

  test('a model in responses gets the data after an instruction that places none of it', async () => {
    const { model, openModel } = agent({ text: '5' });
    await harness.run(plan({ mode, challenge: { title: 'T', instructions: 'Add them.' } }), { openModel });
    expect(model.requests[0]?.messages[1]).toEqual({
      role: 'user',
      text: `Add them.\n\n${JSON.stringify({ payload: { a: 2, b: 3 }, inputs: [] }, null, 2)}`,
    });
  });

  test('a model in mode responses may submit, fails with a blank message, and has as many iterations as its limit', async () => {
    const submitted = agent({ calls: [{ name: 'submit', args: { answer: '5' } }] });
    expect((await harness.run(plan({ mode }), submitted)).result).toMatchObject({ finished_by: 'submit' });
    const silent = agent({ text: ' ' }, { text: 'too late' });
    expect((await harness.run(plan({ mode }), silent)).result).toMatchObject({
      outcome: 'agent_error',
      error: { code: 'empty_output' },
    });
    const busy = plan({ mode });
    busy.limits = { ...busy.limits, max_iterations: 2 };
    const { result } = await harness.run(busy, agent(list, list, { text: 'too late' }));
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'iterations' });
  });
});

describe('the history holds what a model was sent', () => {
  test('the history holds the messages sent to a model, each once', async () => {
    const { model, openModel } = agent(
      { calls: [{ name: 'read_file', args: { path: 'note.txt' } }] },
      { text: 'Seven.' },
      { text: 'Seven.' },
    );
    const files = [{ path: 'note.txt', content: 'seven' }];
    const config = { policy_spec: { role: 'You are a clerk.' } };
    const { events } = await harness.run(plan({ files }, config), { openModel });
    const sent = events.payloads('model.call.messages');
    const [started] = events.payloads('model.call.started');
    const [first = []] = model.requests.map(({ messages }) => messages);
    expect(sent[0]).toEqual({ call_id: started?.call_id, from: 0, messages: first.slice(0, 2) });
    expect(sent[0]?.messages[0]).toMatchObject({ text: expect.stringContaining('You are a clerk.') });
    expect(sent[1]).toMatchObject({
      from: 2,
      messages: [
        { role: 'assistant', call_id: started?.call_id },
        { role: 'tool', tool_name: 'read_file' },
      ],
    });
    // The reminder to use tools, which no other event holds.
    expect(sent[2]).toMatchObject({
      from: 4,
      messages: [
        { role: 'assistant' },
        { role: 'user', text: expect.stringContaining('without using a tool') },
      ],
    });
  });
});

describe('a model at work', () => {
  const list: FakeReply = { calls: [{ name: 'list_files', args: {} }] };
  const submit: FakeReply = { calls: [{ name: 'submit', args: { answer: 'done' } }] };

  test('a model receives the standings of its peers where the run shares them, and still submits', async () => {
    const { model, openModel } = agent(list, list, submit);
    const peers = async () => [{ id: 'agent-beta', steps: 4, state: 'working' as const }];
    const { result, events } = await harness.run(plan({ race_context: { min_step_gap: 3 } }), {
      openModel,
      peers,
    });
    expect(result.outcome).toBe('completed');
    const [injected] = events.payloads('race.standings.injected');
    expect(injected).toMatchObject({ step_index: 2, trigger: 'step_gap' });
    expect(model.requests[1]?.messages.at(-1)?.role).toBe('tool');
    expect(model.requests[2]?.messages.at(-1)).toEqual({ role: 'user', text: injected?.text });
    expect(model.receivedText()).not.toContain('agent-beta');
  });

  test('a model receives no standings where the run does not share them', async () => {
    const { openModel } = agent(list, list, submit);
    let lookups = 0;
    const peers = async () => {
      lookups += 1;
      return [];
    };
    await harness.run(plan({}), { openModel, peers });
    expect(lookups).toBe(0);
  });

  test('a model streams live deltas, which are neither numbered nor counted', async () => {
    const { openModel } = agent({ text: 'Thinking.' }, { text: 'Five.' });
    const { result, events } = await harness.run(plan({}), { openModel });
    const deltas = events.all.filter(({ event_type }) => event_type === 'model.output.delta');
    expect(deltas.map(({ payload }) => payload)).toMatchObject([{ text: 'Thinking.' }, { text: 'Five.' }]);
    expect(deltas.every((delta) => !('sequence_number' in delta))).toBe(true);
    expect(result.last_sequence).toBe(events.all.length - deltas.length);
  });

  test('an attempt whose model provider cannot be reached is not graded', async () => {
    const { result } = await harness.run(plan({}));
    expect(result).toMatchObject({
      outcome: 'provider_error',
      error: { code: 'unsupported', retryable: false },
    });
  });

  test('the steps of a model are kept when its time runs out', async () => {
    const stuck: FakeReply = { before: () => new Promise(() => undefined) };
    const limited = plan({});
    limited.limits = { ...limited.limits, run_timeout_seconds: 0.5 };
    const { events } = await harness.run(limited, { openModel: agent(list, stuck).openModel });
    expect(events.payloads('system.run.failed')).toMatchObject([{ limit_kind: 'time', step_count: 2 }]);
  });
});
