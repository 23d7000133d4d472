import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptEnded } from '../attempt/attempt-ended.js';
import { resumeAttempt, runAttempt } from '../attempt/run-attempt.js';
import type { AttemptPlan, PlannedAgent, PlannedConversation, PlannedPhase, ScriptStep } from '../plan.js';
import { Arena } from '../testing/arena.js';
import { FakeModel, type FakeReply, fakeModels, modelConfig } from '../testing/fake-model.js';
import { attemptPlan } from '../testing/plans.js';

const arena = new Arena();
beforeAll(() => arena.open());
afterAll(() => arena.close());

const says = (id: string, ...messages: string[]): PlannedPhase => ({
  id,
  trigger: 'always',
  actor: 'scripted',
  turns: messages.map((message) => ({ message, expects: [] })),
});
const person = (
  changes: { trigger?: PlannedPhase['trigger']; on_timeout?: 'stop' | 'fail' } = {},
): PlannedPhase => ({
  id: 'person',
  trigger: 'always',
  actor: 'human',
  timeout_ms: 60_000,
  on_timeout: 'stop',
  ...changes,
});

function talkPlan(agent: PlannedAgent, phases: PlannedPhase[], changes: Partial<PlannedConversation> = {}) {
  const conversation = { turns_max: 50, phases, requested_phases: [], human_turns: [], ...changes };
  return attemptPlan(agent, { mode: 'multi_turn', conversation });
}

const modelAgent: PlannedAgent = { kind: 'model', config: modelConfig('agent') };
const scripted = (...steps: ScriptStep[]): PlannedAgent => ({ kind: 'scripted', config: { steps } });
const withModel = (...replies: FakeReply[]) => {
  const model = new FakeModel(replies, 'agent');
  return { model, openModel: fakeModels(model) };
};
const call = (name: string, args: Record<string, string>): FakeReply => ({ calls: [{ name, args }] });

/** Drives a plan until it waits for a person. */
async function untilParked(plan: AttemptPlan, changes: Parameters<Arena['run']>[1] = {}) {
  const { history, emitted } = arena.record(plan);
  const options = { ...arena.ports(), plan, history, signal: new AbortController().signal, ...changes };
  const progress = await runAttempt(options);
  if ('ended' in progress) throw new Error(`the attempt ended: ${progress.ended.error?.message}`);
  return { ...progress.parked, options, emitted };
}

describe('a model in a conversation', () => {
  test('works with its tools in every turn, and its last message is the answer', async () => {
    const { model, openModel } = withModel(
      call('write_file', { path: 'note.txt', content: 'seen' }),
      { text: 'Hello!' },
      call('read_file', { path: 'note.txt' }),
      call('submit', { answer: 'Bye!' }),
    );
    const plan = talkPlan(modelAgent, [says('open', 'Hi.', 'And?')]);
    const { result, events } = await arena.run(plan, { openModel });
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

  test('that submits before its other calls leaves every call of its reply answered', async () => {
    const { model, openModel } = withModel(
      {
        calls: [
          { name: 'submit', args: { answer: 'one' } },
          { name: 'read_file', args: { path: 'x' } },
        ],
      },
      { text: 'two' },
    );
    const { events } = await arena.run(talkPlan(modelAgent, [says('open', 'a', 'b')]), { openModel });
    expect(events.payloads('tool.call.started').map(({ tool_name }) => tool_name)).toEqual(['submit']);
    const answered = model.requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(answered).toHaveLength(2);
  });

  test('may use its iterations in every turn anew, its tool calls only once', async () => {
    const read = call('list_files', {});
    const { openModel } = withModel(read, { text: 'a' }, read, { text: 'b' }, read, read);
    const plan = talkPlan(modelAgent, [says('open', '1', '2', '3')]);
    plan.limits = { ...plan.limits, max_iterations: 2, max_tool_calls: 2 };
    const { result, events } = await arena.run(plan, { openModel });
    expect(events.payloads('system.step.started')).toHaveLength(6);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'tool_calls', tool_call_count: 2 });
    expect(events.payloads('system.output.finalized')).toMatchObject([
      { final_output: 'b', finished_by: 'none' },
    ]);
  });

  test('that goes on for ever in one turn reaches its limit', async () => {
    const { openModel } = withModel(call('list_files', {}));
    const plan = talkPlan(modelAgent, [says('open', '1')]);
    plan.limits = { ...plan.limits, max_iterations: 3 };
    const { result } = await arena.run(plan, { openModel });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'iterations' });
  });

  test('that says nothing is at fault', async () => {
    const { openModel } = withModel({ text: ' ' });
    const { result } = await arena.run(talkPlan(modelAgent, [says('open', '1')]), { openModel });
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'empty_output' } });
  });
});

describe('other agents in a conversation', () => {
  test('a script goes on where its last message stopped it', async () => {
    const agent = scripted(
      { message: 'one' },
      { call: { name: 'list_files', arguments: {} } },
      { answer: 'two {{a}}' },
    );
    const { events, result } = await arena.run(talkPlan(agent, [says('open', '1', '2', '3')]));
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

  test('a program is started for every turn and told what was said', async () => {
    const script = [
      'echo "$(($(cat count 2>/dev/null || echo 0) + 1))" > count',
      'test "$(cat count)" = 1 && echo first > "$AGENTCLASH_OUTPUT"',
      'grep -o \'"transcript":.*\' "$AGENTCLASH_TASK" | tail -c 200',
    ].join('; ');
    const agent: PlannedAgent = { kind: 'program', config: { command: ['sh', '-c', script] } };
    const { events } = await arena.run(talkPlan(agent, [says('open', 'Hi', 'More?')]));
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
    const { result, events } = await arena.run(talkPlan(agent, [says('open', 'Hi', 'More?')]));
    expect(result).toMatchObject({ outcome: 'agent_error', error: { code: 'exit_nonzero' } });
    expect(events.payloads('turn.user.message')).toHaveLength(1);
  });
});

describe('the simulated user', () => {
  const pressure: PlannedPhase = {
    id: 'pressure',
    trigger: 'on_assistant_mismatch',
    actor: 'llm',
    persona: 'A customer who has asked twice.',
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

  test('comes in when the agent missed what was expected, and pays for itself', async () => {
    const agent = new FakeModel([{ text: 'Wait.' }, { text: 'Your refund is on its way.' }], 'agent');
    const user = new FakeModel([{ text: 'I have waited!' }], 'user', 0.5);
    const plan = talkPlan(modelAgent, [opening, pressure]);
    const { result, events } = await arena.run(plan, { openModel: fakeModels(agent, user) });
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

  test('stays away when all was well', async () => {
    const agent = new FakeModel([{ text: 'I am sorry.' }], 'agent');
    const { events } = await arena.run(talkPlan(modelAgent, [opening, pressure]), {
      openModel: fakeModels(agent),
    });
    expect(events.payloads('turn.phase.skipped')).toEqual([
      { phase_id: 'pressure', trigger: 'on_assistant_mismatch' },
    ]);
  });

  test('knows its persona, the payload and what was said, and nothing else', async () => {
    const hidden = 'HIDDEN-FROM-THE-USER';
    const agent = new FakeModel(
      [call('write_file', { path: hidden, content: hidden }), { text: 'Wait.' }],
      'agent',
    );
    const user = new FakeModel([{ text: 'Now!' }], 'user');
    const plan = talkPlan(
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
    await arena.run(plan, changes);
    expect(user.heard()).not.toContain(hidden);
    for (const known of ['ORDER-7', 'asked twice', 'Where is my money?', 'Wait.']) {
      expect(user.heard()).toContain(known);
    }
    expect(user.requests[0]?.tools).toEqual([]);
    expect(agent.heard()).not.toContain('asked twice');
  });
});

describe('a person in a conversation', () => {
  const phases = [says('open', 'Hi.'), person(), { ...says('close', 'Thanks.') }];

  test('is waited for without anything running, and answers in the same sandbox and history', async () => {
    const agent = scripted(
      { call: { name: 'write_file', arguments: { path: 'kept.txt', content: 'kept' } } },
      { message: 'one' },
      { call: { name: 'read_file', arguments: { path: 'kept.txt' } } },
      { message: 'two' },
      { answer: 'three' },
    );
    const { result, events } = await arena.run(talkPlan(agent, phases), {}, [{ message: 'I am a person.' }]);
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'conversation', tool_call_count: 2 });
    expect(events.all.map(({ sequence_number }) => sequence_number)).toEqual(
      events.all.map((_, index) => index + 1),
    );
    expect(events.payloads('sandbox.created')).toHaveLength(1);
    expect(events.payloads('system.run.started')).toHaveLength(1);
    expect(events.payloads('tool.call.completed').at(-1)?.result).toMatchObject({ content: 'kept' });
    expect(events.payloads('turn.awaiting_human')).toMatchObject([{ turn_index: 1, phase_id: 'person' }]);
    expect(events.payloads('turn.user.message')[1]).toEqual({
      turn_index: 1,
      phase_id: 'person',
      actor: 'human',
      message: 'I am a person.',
    });
    expect(events.payloads('conversation.completed')).toMatchObject([{ human_turn_count: 1, turn_count: 3 }]);
  });

  test('does not reset what the agent has used up', async () => {
    const { openModel } = withModel(call('list_files', {}), { text: 'a' }, call('list_files', {}));
    const plan = talkPlan(modelAgent, phases);
    plan.limits = { ...plan.limits, max_tool_calls: 1 };
    const { result } = await arena.run(plan, { openModel }, [{ message: 'go on' }]);
    expect(result).toMatchObject({ limit_kind: 'tool_calls', tool_call_count: 1, usage: { total: 60 } });
  });

  test('does not make a planted secret come twice', async () => {
    const list: ScriptStep = { call: { name: 'list_files', arguments: {} } };
    const agent = scripted(list, { message: 'one' }, list, { message: 'two' });
    const plan = talkPlan(agent, phases.slice(0, 2));
    plan.planted_secrets = [{ name: 'api_token', value: 'planted-value', location: 'tool-output' }];
    const { events } = await arena.run(plan, {}, [{ message: 'go on' }]);
    const results = events.payloads('tool.call.completed').map(({ result }) => JSON.stringify(result));
    expect(results.map((result) => result.includes('planted-value'))).toEqual([true, false]);
    expect(events.payloads('security.canary.planted')).toMatchObject([{ planted: true }]);
  });

  test('who never comes ends the conversation, or cancels the attempt where the pack says so', async () => {
    const agent = scripted({ message: 'one' }, { message: 'two' });
    const stopped = await arena.run(talkPlan(agent, phases), {}, [{ timedOut: true }]);
    expect(stopped.result).toMatchObject({ outcome: 'completed', finished_by: 'conversation' });
    expect(stopped.events.payloads('conversation.completed')).toMatchObject([
      { stop_reason: 'human_turn_timeout' },
    ]);
    expect(stopped.events.payloads('system.output.finalized')).toMatchObject([{ final_output: 'one' }]);
    const failing = [says('open', 'Hi.'), person({ on_timeout: 'fail' })];
    const cancelled = await arena.run(talkPlan(agent, failing), {}, [{ timedOut: true }]);
    expect(cancelled.result).toMatchObject({ outcome: 'cancelled', snapshot: null });
  });

  test('who has answered in an earlier delivery is not asked again', async () => {
    const agent = scripted({ message: 'one' }, { message: 'two' }, { message: 'three' });
    const human_turns = [{ phase_id: 'person', turn_index: 1, message: 'said before' }];
    const { result, events } = await arena.run(talkPlan(agent, phases, { human_turns }));
    expect(result.outcome).toBe('completed');
    expect(events.payloads('turn.awaiting_human')).toEqual([]);
    expect(events.payloads('turn.user.message')[1]?.message).toBe('said before');
  });

  test('may ask for a phase until it is reached', async () => {
    const agent = scripted({ message: 'one' }, { message: 'two' });
    const manual: PlannedPhase[] = [says('open', 'Hi.'), { ...says('extra', 'More!'), trigger: 'manual' }];
    const spoken = async (plan: AttemptPlan, requested: string[]) => {
      const { events } = await arena.run(plan, { requestedPhases: async () => requested });
      return events.payloads('turn.user.message').length;
    };
    expect(await spoken(talkPlan(agent, manual), [])).toBe(1);
    expect(await spoken(talkPlan(agent, manual), ['extra'])).toBe(2);
    expect(await spoken(talkPlan(agent, manual, { requested_phases: ['extra'] }), [])).toBe(2);
  });

  test('keeps the clock of the run stage standing still', async () => {
    const parked = await untilParked(
      talkPlan(scripted({ message: 'one' }, { message: 'two' }), phases.slice(0, 2)),
    );
    const later = { ...parked.state, counters: { ...parked.state.counters, elapsed_ms: 12_000 } };
    const { options, sandbox } = parked;
    const progress = await resumeAttempt({
      ...options,
      parked: { state: later, sandbox },
      answer: { message: 'x' },
    });
    if (!('ended' in progress)) throw new Error('it waits again');
    expect(progress.ended.outcome).toBe('completed');
    expect(progress.ended.latency_ms).toBeGreaterThanOrEqual(12_000);
    expect(progress.ended.latency_ms).toBeLessThan(20_000);
  });

  test('leaves the agent the time it had left, and no more', async () => {
    const agent = scripted({ message: 'one' }, { message: 'two' });
    const { options, sandbox, state } = await untilParked(talkPlan(agent, phases.slice(0, 2)));
    const spent = options.plan.limits.run_timeout_seconds * 1_000;
    const later = { ...state, counters: { ...state.counters, elapsed_ms: spent } };
    const parked = { state: later, sandbox };
    const progress = await resumeAttempt({ ...options, parked, answer: { message: 'x' } });
    expect(progress).toMatchObject({ ended: { outcome: 'limit_reached', limit_kind: 'time' } });
  });

  test('finds the sandbox alive until a minute after the deadline, though nobody renews its lease', async () => {
    const leases: (number | undefined)[] = [];
    const create: Arena['sandboxes']['create'] = async (spec, options) => {
      const session = await arena.sandboxes.create(spec, options);
      const renewLease = session.renewLease.bind(session);
      session.renewLease = (ms) => {
        leases.push(ms);
        renewLease(ms);
      };
      return session;
    };
    const plan = talkPlan(scripted({ message: 'one' }), phases);
    const { sandbox } = await untilParked(plan, { sandboxes: { name: 'observed', create } });
    expect(leases.at(-1)).toBeGreaterThan(110_000);
    expect(leases.at(-1)).toBeLessThanOrEqual(120_000);
    await sandbox.session.destroy();
  });

  test('loses nothing but a delivery when the sandbox is lost meanwhile', async () => {
    const { options, sandbox, ...parked } = await untilParked(talkPlan(scripted({ message: 'one' }), phases));
    await sandbox.session.destroy();
    await sandbox.session.ended;
    const progress = await resumeAttempt({
      ...options,
      parked: { ...parked, sandbox },
      answer: { message: 'x' },
    });
    expect(progress).toMatchObject({ ended: { outcome: 'infra_error', error: { retryable: true } } });
  });

  test('can be sent away: a parked attempt that is ended leaves nothing', async () => {
    const { options, sandbox, emitted, ...parked } = await untilParked(
      talkPlan(scripted({ message: 'one' }), phases),
    );
    for (const [reason, outcome] of [
      [undefined, 'cancelled'],
      [new AttemptEnded({ because: 'infra', code: 'worker_lost' }), 'infra_error'],
    ] as const) {
      const signal = AbortSignal.abort(reason);
      const progress = await resumeAttempt({
        ...options,
        signal,
        parked: { ...parked, sandbox },
        answer: { timedOut: true },
      });
      expect(progress).toMatchObject({ ended: { outcome, snapshot: null } });
    }
    await sandbox.session.ended;
    expect(emitted.map(({ event_type }) => event_type)).toContain('sandbox.destroyed');
  });
});
