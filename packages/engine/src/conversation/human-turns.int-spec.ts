import type { AttemptPlan, PlannedPhase, ScriptStep } from '@agentclash/attempt-plan';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resumeAttempt } from '../attempt/run-attempt.js';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { AttemptHarness } from '../testing/attempt-harness.js';
import {
  call,
  conversationPlan,
  modelAgent,
  person,
  scripted,
  scriptedPhase,
  untilParked,
  withModel,
} from '../testing/conversations.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

describe('a person in a conversation', () => {
  const phases = [scriptedPhase('open', 'Hi.'), person(), { ...scriptedPhase('close', 'Thanks.') }];

  test('a person is waited for without a running process, and replies in the same sandbox and history', async () => {
    const agent = scripted(
      { call: { name: 'write_file', arguments: { path: 'kept.txt', content: 'kept' } } },
      { message: 'one' },
      { call: { name: 'read_file', arguments: { path: 'kept.txt' } } },
      { message: 'two' },
      { answer: 'three' },
    );
    const { result, events } = await harness.run(conversationPlan(agent, phases), {}, [
      { message: 'I am a person.' },
    ]);
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

  test('a human turn does not reset the used limits of the agent', async () => {
    const { openModel } = withModel(call('list_files', {}), { text: 'a' }, call('list_files', {}));
    const plan = conversationPlan(modelAgent, phases);
    plan.limits = { ...plan.limits, max_tool_calls: 1 };
    const { result } = await harness.run(plan, { openModel }, [{ message: 'continue' }]);
    expect(result).toMatchObject({ limit_kind: 'tool_calls', tool_call_count: 1, usage: { total: 60 } });
  });

  test('a human turn does not plant a secret twice', async () => {
    const list: ScriptStep = { call: { name: 'list_files', arguments: {} } };
    const agent = scripted(list, { message: 'one' }, list, { message: 'two' });
    const plan = conversationPlan(agent, phases.slice(0, 2));
    plan.planted_secrets = [{ name: 'api_token', value: 'planted-value', location: 'tool-output' }];
    const { events } = await harness.run(plan, {}, [{ message: 'continue' }]);
    const results = events.payloads('tool.call.completed').map(({ result }) => JSON.stringify(result));
    expect(results.map((result) => result.includes('planted-value'))).toEqual([true, false]);
    expect(events.payloads('security.canary.planted')).toMatchObject([{ planted: true }]);
  });

  test('a person who never replies ends the conversation, or cancels the attempt where the pack sets it', async () => {
    const agent = scripted({ message: 'one' }, { message: 'two' });
    const stopped = await harness.run(conversationPlan(agent, phases), {}, [{ timedOut: true }]);
    expect(stopped.result).toMatchObject({ outcome: 'completed', finished_by: 'conversation' });
    expect(stopped.events.payloads('conversation.completed')).toMatchObject([
      { stop_reason: 'human_turn_timeout' },
    ]);
    expect(stopped.events.payloads('system.output.finalized')).toMatchObject([{ final_output: 'one' }]);
    const failing = [scriptedPhase('open', 'Hi.'), person({ on_timeout: 'fail' })];
    const cancelled = await harness.run(conversationPlan(agent, failing), {}, [{ timedOut: true }]);
    expect(cancelled.result).toMatchObject({
      outcome: 'cancelled',
      error: { code: 'human_turn_timeout', retryable: false },
      snapshot: null,
    });
  });

  test('a turn of an earlier delivery is replayed without waiting for the person again', async () => {
    const agent = scripted({ message: 'one' }, { message: 'two' }, { message: 'three' });
    const human_turns = [{ phase_id: 'person', turn_index: 1, message: 'given before' }];
    const { result, events } = await harness.run(conversationPlan(agent, phases, { human_turns }));
    expect(result.outcome).toBe('completed');
    expect(events.payloads('turn.awaiting_human')).toEqual([]);
    expect(events.payloads('turn.user.message')[1]?.message).toBe('given before');
  });

  test('a person may request a phase until it is reached', async () => {
    const agent = scripted({ message: 'one' }, { message: 'two' });
    const manual: PlannedPhase[] = [
      scriptedPhase('open', 'Hi.'),
      { ...scriptedPhase('extra', 'More!'), trigger: 'manual' },
    ];
    const turnsAfter = async (plan: AttemptPlan, requested: string[]) => {
      const { events } = await harness.run(plan, { isPhaseRequested: async (id) => requested.includes(id) });
      return events.payloads('turn.user.message').length;
    };
    expect(await turnsAfter(conversationPlan(agent, manual), [])).toBe(1);
    expect(await turnsAfter(conversationPlan(agent, manual), ['extra'])).toBe(2);
    expect(await turnsAfter(conversationPlan(agent, manual, { requested_phases: ['extra'] }), [])).toBe(2);
  });

  test('the clock of the run stage is suspended during a human turn', async () => {
    const parked = await untilParked(
      harness,
      conversationPlan(scripted({ message: 'one' }, { message: 'two' }), phases.slice(0, 2)),
    );
    const later = { ...parked.state, counters: { ...parked.state.counters, elapsed_ms: 12_000 } };
    const { options, sandbox } = parked;
    const progress = await resumeAttempt({
      ...options,
      parked: { state: later, sandbox },
      reply: { message: 'x' },
    });
    if (!('ended' in progress)) throw new Error('it waits again');
    expect(progress.ended.outcome).toBe('completed');
    expect(progress.ended.latency_ms).toBeGreaterThanOrEqual(12_000);
    expect(progress.ended.latency_ms).toBeLessThan(20_000);
  });

  test('an agent after a human turn has its remaining time, and no more', async () => {
    const agent = scripted({ message: 'one' }, { message: 'two' });
    const { options, sandbox, state } = await untilParked(
      harness,
      conversationPlan(agent, phases.slice(0, 2)),
    );
    const spent = options.plan.limits.run_timeout_seconds * 1_000;
    const later = { ...state, counters: { ...state.counters, elapsed_ms: spent } };
    const parked = { state: later, sandbox };
    const progress = await resumeAttempt({ ...options, parked, reply: { message: 'x' } });
    expect(progress).toMatchObject({ ended: { outcome: 'limit_reached', limit_kind: 'time' } });
  });

  test('a parked sandbox stays alive until a minute after the deadline without renewals of its lease', async () => {
    const leases: (number | undefined)[] = [];
    const create: AttemptHarness['sandboxes']['create'] = async (spec, options) => {
      const session = await harness.sandboxes.create(spec, options);
      const renewLease = session.renewLease.bind(session);
      session.renewLease = (ms) => {
        leases.push(ms);
        renewLease(ms);
      };
      return session;
    };
    const plan = conversationPlan(scripted({ message: 'one' }), phases);
    const { sandbox } = await untilParked(harness, plan, {
      sandboxes: { name: 'observed', capabilities: harness.sandboxes.capabilities, create },
    });
    expect(leases.at(-1)).toBeGreaterThan(110_000);
    expect(leases.at(-1)).toBeLessThanOrEqual(120_000);
    await sandbox.session.destroy();
  });

  test('a sandbox that is lost during a human turn costs one delivery', async () => {
    const { options, sandbox, ...parked } = await untilParked(
      harness,
      conversationPlan(scripted({ message: 'one' }), phases),
    );
    await sandbox.session.destroy();
    await sandbox.session.ended;
    const progress = await resumeAttempt({
      ...options,
      parked: { ...parked, sandbox },
      reply: { message: 'x' },
    });
    expect(progress).toMatchObject({ ended: { outcome: 'infra_error', error: { retryable: true } } });
  });

  test('a parked attempt that is ended leaves nothing behind', async () => {
    const { options, sandbox, emitted, ...parked } = await untilParked(
      harness,
      conversationPlan(scripted({ message: 'one' }), phases),
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
        reply: { timedOut: true },
      });
      expect(progress).toMatchObject({ ended: { outcome, snapshot: null } });
    }
    await sandbox.session.ended;
    expect(emitted.map(({ event_type }) => event_type)).toContain('sandbox.destroyed');
  });
});
