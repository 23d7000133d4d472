import type { PlannedAgent, PlannedPhase } from '@agentclash/attempt-plan';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import {
  call,
  conversationPlan,
  modelAgent,
  person,
  scripted,
  scriptedPhase,
  withModel,
} from '../testing/conversations.js';
import { FakeModel, fakeModels, modelConfig } from '../testing/fake-model.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

describe('a model in a conversation', () => {
  test('a model works with its tools in every turn, and its last message is the final output', async () => {
    const { model, openModel } = withModel(
      call('write_file', { path: 'note.txt', content: 'seen' }),
      { text: 'Hello!' },
      call('read_file', { path: 'note.txt' }),
      call('submit', { answer: 'Bye!' }),
    );
    const plan = conversationPlan(modelAgent, [scriptedPhase('open', 'Hi.', 'And?')]);
    const { result, events } = await harness.run(plan, { openModel });
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'conversation', tool_call_count: 2 });
    expect(events.payloads('turn.user.message').map(({ message }) => message)).toEqual(['Hi.', 'And?']);
    expect(events.payloads('turn.assistant.message')).toMatchObject([
      { turn_index: 0, message: 'Hello!' },
      { turn_index: 1, message: 'Bye!' },
    ]);
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: 'Bye!', finished_by: 'conversation' },
    ]);
    expect(events.payloads('conversation.completed')).toEqual([
      {
        turn_count: 2,
        actors_used: ['scripted'],
        mismatch_turns: [],
        human_turn_count: 0,
        stop_reason: 'completed',
      },
    ]);
    const roles = model.requests.at(-1)?.messages.map(({ role }) => role);
    expect(roles).toEqual([
      'system',
      'user',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
    ]);
  });

  test('a model that submits before its other calls has a result for every call of its reply', async () => {
    const { model, openModel } = withModel(
      {
        calls: [
          { name: 'submit', args: { answer: 'one' } },
          { name: 'read_file', args: { path: 'x' } },
        ],
      },
      { text: 'two' },
    );
    const { events } = await harness.run(conversationPlan(modelAgent, [scriptedPhase('open', 'a', 'b')]), {
      openModel,
    });
    expect(events.payloads('tool.call.started').map(({ tool_name }) => tool_name)).toEqual(['submit']);
    const toolMessages = model.requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(toolMessages).toHaveLength(2);
  });

  test('a model has its iterations again in every turn, its tool calls only once', async () => {
    const read = call('list_files', {});
    const { openModel } = withModel(read, { text: 'a' }, read, { text: 'b' }, read, read);
    const plan = conversationPlan(modelAgent, [scriptedPhase('open', '1', '2', '3')]);
    plan.limits = { ...plan.limits, max_iterations: 2, max_tool_calls: 2 };
    const { result, events } = await harness.run(plan, { openModel });
    expect(events.payloads('system.step.started')).toHaveLength(6);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'tool_calls', tool_call_count: 2 });
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: 'b', finished_by: 'none' },
    ]);
  });

  test('a model that does not end a turn reaches its limit', async () => {
    const { openModel } = withModel(call('list_files', {}));
    const plan = conversationPlan(modelAgent, [scriptedPhase('open', '1')]);
    plan.limits = { ...plan.limits, max_iterations: 3 };
    const { result } = await harness.run(plan, { openModel });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'iterations' });
  });

  test('a model with a blank message fails as `agent_error`', async () => {
    const { openModel } = withModel({ text: ' ' });
    const { result } = await harness.run(conversationPlan(modelAgent, [scriptedPhase('open', '1')]), {
      openModel,
    });
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'empty_output' } });
  });
});

describe('other agents in a conversation', () => {
  test('a script continues after its last message', async () => {
    const agent = scripted(
      { message: 'one' },
      { call: { name: 'list_files', arguments: {} } },
      { answer: 'two {{a}}' },
    );
    const { events, result } = await harness.run(
      conversationPlan(agent, [scriptedPhase('open', '1', '2', '3')]),
    );
    expect(events.payloads('turn.assistant.message').map(({ message }) => message)).toEqual([
      'one',
      'two 2',
      '',
    ]);
    expect(result).toMatchObject({
      outcome: 'completed',
      finished_by: 'conversation',
      final_output_bytes: 0,
    });
  });

  test('a program is started for every turn and receives the transcript', async () => {
    const script = [
      'echo "$(($(cat count 2>/dev/null || echo 0) + 1))" > count',
      'test "$(cat count)" = 1 && echo first > "$AGENTCLASH_OUTPUT"',
      'grep -o \'"transcript":.*\' "$AGENTCLASH_TASK" | tail -c 200',
    ].join('; ');
    const agent: PlannedAgent = { kind: 'program', config: { command: ['sh', '-c', script] } };
    const { events } = await harness.run(conversationPlan(agent, [scriptedPhase('open', 'Hi', 'More?')]));
    const [first, second] = events.payloads('turn.assistant.message');
    expect(first?.message).toBe('first\n');
    expect(JSON.parse(`{${second?.message.trim().slice(0, -1)}}`)).toEqual({
      transcript: [
        { role: 'user', message: 'Hi' },
        { role: 'assistant', message: 'first\n' },
        { role: 'user', message: 'More?' },
      ],
    });
  });

  test('a program that fails in one turn ends the conversation', async () => {
    const agent: PlannedAgent = { kind: 'program', config: { command: ['sh', '-c', 'exit 3'] } };
    const { result, events } = await harness.run(
      conversationPlan(agent, [scriptedPhase('open', 'Hi', 'More?')]),
    );
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'exit_nonzero' } });
    expect(events.payloads('turn.user.message')).toHaveLength(1);
  });
});

describe('the simulated user', () => {
  const pressure: PlannedPhase = {
    id: 'pressure',
    trigger: 'on_assistant_mismatch',
    actor: 'llm',
    persona: 'A customer who has complained twice.',
    turns_max: 3,
    until: ['assistant_emitted:refund'],
    simulator: modelConfig('user'),
  };
  const opening: PlannedPhase = {
    id: 'open',
    trigger: 'always',
    actor: 'scripted',
    turns: [
      { message: 'Where is my money?', expects: [{ key: 'sorry', kind: 'regex_match', text: '(?i)sorry' }] },
    ],
  };

  test('the simulated user enters after a mismatch, and is charged to its own account', async () => {
    const agent = new FakeModel([{ text: 'Wait.' }, { text: 'Your refund is on its way.' }], 'agent');
    const user = new FakeModel([{ text: 'I have waited!' }], 'user', 0.5);
    const plan = conversationPlan(modelAgent, [opening, pressure]);
    const { result, events } = await harness.run(plan, { openModel: fakeModels(agent, user) });
    expect(events.payloads('turn.completed')).toMatchObject([
      { turn_index: 0, mismatch: true, expects: [{ key: 'sorry', kind: 'regex_match', passed: false }] },
      { turn_index: 1, phase_id: 'pressure', actor: 'llm', mismatch: false, expects: [] },
    ]);
    expect(events.payloads('turn.user.simulated')).toMatchObject([
      { turn_index: 1, model: 'user', cost_usd: 0.5 },
    ]);
    expect(events.payloads('model.call.completed').map(({ model }) => model)).toEqual(['agent', 'agent']);
    expect(result).toMatchObject({ usage: { total: 30 }, simulator_usage: { total: 15 }, cost_usd: null });
    expect(events.payloads('conversation.completed')).toMatchObject([
      { mismatch_turns: [0], actors_used: ['scripted', 'llm'] },
    ]);
  });

  test('the simulated user does not enter without a mismatch', async () => {
    const agent = new FakeModel([{ text: 'I am sorry.' }], 'agent');
    const { events } = await harness.run(conversationPlan(modelAgent, [opening, pressure]), {
      openModel: fakeModels(agent),
    });
    expect(events.payloads('turn.phase.skipped')).toEqual([
      { phase_id: 'pressure', trigger: 'on_assistant_mismatch' },
    ]);
  });

  test('a simulated user receives its persona, the payload and the transcript, and nothing else', async () => {
    const hidden = 'HIDDEN-FROM-THE-USER';
    const agent = new FakeModel(
      [call('write_file', { path: hidden, content: hidden }), { text: 'Wait.' }],
      'agent',
    );
    const user = new FakeModel([{ text: 'Now!' }], 'user');
    const plan = conversationPlan(
      {
        kind: 'model',
        config: { ...modelConfig('agent'), policy_spec: { role: hidden, instructions: hidden } },
      },
      [
        opening,
        { ...pressure, turns_max: 1, until: [hidden] },
        { ...person({ trigger: 'never' }), id: hidden },
      ],
    );
    plan.challenge = { title: hidden, instructions: hidden };
    plan.case = { payload: { order: 'ORDER-7' }, inputs: [{ key: hidden, kind: 'text', value: hidden }] };
    plan.case_key = hidden;
    plan.files = [{ path: hidden, content: hidden }];
    plan.sandbox.env_vars = { HIDDEN: hidden };
    const changes = { openModel: fakeModels(agent, user) };
    await harness.run(plan, changes);
    expect(user.receivedText()).not.toContain(hidden);
    for (const known of ['ORDER-7', 'complained twice', 'Where is my money?', 'Wait.']) {
      expect(user.receivedText()).toContain(known);
    }
    expect(user.requests[0]?.tools).toEqual([]);
    expect(agent.receivedText()).not.toContain('complained twice');
  });
});
