import type { AttemptPlan } from '@agentclash/attempt-plan';
import { attempts, ContractError, leases, runs } from '@agentclash/contracts';
import { conversationPack, EXTRA, HUMAN_PHASE, publish } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { emit } from '../../testing/emitted-events.js';
import { claim, finish, renew, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;
const executor_id = 'e';
const state = { schema: 'agentclash.conversation/1', published: 'kept \u0000 whole' };

describe('an attempt that waits for a person', () => {
  const pack = fakes.add(publish(conversationPack([HUMAN_PHASE, EXTRA])));
  const pair = fakes.add(publish(conversationPack([HUMAN_PHASE], { slug: 'pair', cases: 2 })));
  let agent: Awaited<ReturnType<typeof fixture.scripted>>;
  let run_id: string;
  let attempt_id: string;

  beforeAll(async () => {
    agent = await fixture.scripted('agent');
  });

  beforeEach(async () => {
    run_id = (await fixture.createRun(pack.version.id, [agent])).id;
    attempt_id = (await fixture.attempts(run_id))[0]?.id ?? '';
  });

  const lease = (delivery = 1) => ({ attempt_id, delivery, executor_id });
  const awaits = (waitMs = 60_000, turn_index = 1) => ({
    turn_index,
    phase_id: 'human',
    deadline_at: new Date(Date.now() + waitMs).toISOString(),
    last_message: 'What now?\u0000',
  });
  const start = async (delivery = 1) => {
    const reply = await claim(fixture.bus, attempt_id, executor_id);
    if (!reply.claimed) throw new Error(reply.reason);
    expect(reply.delivery).toBe(delivery);
    return reply.plan as Partial<AttemptPlan>;
  };
  const park = (waitMs?: number, delivery = 1) =>
    fixture.bus.call(leases.park, { ...lease(delivery), awaits: awaits(waitMs), state });
  const sendTurn = (message: string, turn_index = 1, workspace = workspace_id) =>
    fixture.bus.call(attempts.answer, {
      workspace_id: workspace,
      attempt_id,
      actor: 'ada',
      request: { turn_index, message },
    });
  const resume = (to_end = false) => fixture.bus.call(leases.resume, { ...lease(), to_end });
  const request = (phase_id: string, workspace = workspace_id) =>
    fixture.bus.call(attempts.requestPhase, {
      workspace_id: workspace,
      attempt_id,
      actor: 'ada',
      request: { phase_id },
    });
  const reach = (delivery = 1) =>
    fixture.bus.call(leases.reachPhase, { ...lease(delivery), phase_id: 'extra' });
  const show = () => fixture.bus.call(attempts.get, { workspace_id, attempt_id });
  const fate = async () => {
    const items = [{ attempt_id, delivery: 1 }];
    return (await fixture.bus.call(leases.renewParked, { executor_id, items })).items[0]?.fate;
  };
  const loseLease = () =>
    database.query(`UPDATE runs.attempts SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      attempt_id,
    ]);
  const conflict = { code: 'conflict' };

  test('a parked attempt shows the awaited turn, and resumes with the human turn in the same delivery', async () => {
    await start();
    expect(await park()).toEqual({ parked: true });
    expect(await park()).toEqual({ parked: true });
    expect(await show()).toMatchObject({
      state: 'parked',
      delivery: 1,
      awaits: { turn_index: 1, phase_id: 'human', last_message: 'What now?\u{fffd}' },
    });
    expect(await fate()).toBe('waits');
    expect(await resume()).toEqual({ resumed: false });
    const given = await sendTurn('Continue.\nPlease.');
    expect(given).toMatchObject({ attempt_id, turn_index: 1, phase_id: 'human', given_by: 'ada' });
    const givenTurns = () => fakes.givenTurns.filter((turn) => turn.attempt_id === attempt_id);
    await waitFor(() => givenTurns().length > 0);
    expect(givenTurns()).toEqual([{ attempt_id, delivery: 1 }]);
    expect(await fate()).toBe('ready');
    const resumed = await resume();
    expect(resumed).toMatchObject({
      resumed: true,
      message: 'Continue.\nPlease.',
      state,
      is_cancelled: false,
    });
    expect(await resume()).toEqual(resumed);
    expect(await show()).toMatchObject({ state: 'running', delivery: 1, awaits: null });
    const moves = (await fixture.history(run_id)).filter(
      (event) => event.event_type === 'attempt.state_changed',
    );
    expect(moves.map(({ payload }) => payload.to)).toEqual(['preparing', 'running', 'parked', 'running']);
  });

  test('a turn is accepted once: a repetition returns the same, anything else is a conflict', async () => {
    await start();
    await expect(sendTurn('too early')).rejects.toMatchObject(conflict);
    await park();
    await expect(sendTurn('x', 0)).rejects.toMatchObject(conflict);
    await expect(sendTurn('x', 2)).rejects.toMatchObject(conflict);
    const published = await Promise.allSettled(['a', 'b', 'c'].map((message) => sendTurn(message)));
    const taken = published.filter((each) => each.status === 'fulfilled');
    expect(taken).toHaveLength(1);
    const { message } = taken[0]?.value ?? { message: '' };
    await resume();
    expect(await sendTurn(message)).toEqual(taken[0]?.value);
    await expect(sendTurn(`${message}!`)).rejects.toMatchObject(conflict);
  });

  test('a parked attempt and its phases are not found in another workspace', async () => {
    await start();
    await park();
    await expect(sendTurn('x', 1, newId())).rejects.toMatchObject({ code: 'not_found' });
    await expect(request('extra', newId())).rejects.toMatchObject({ code: 'not_found' });
    expect(await sendTurn('x')).toMatchObject({ message: 'x' });
  });

  test('a parked attempt is ready when its time has run out, and refuses later turns', async () => {
    await start();
    await park(-1);
    await expect(sendTurn('late')).rejects.toMatchObject(conflict);
    expect(await fate()).toBe('ready');
    expect(await resume()).toMatchObject({ resumed: true, message: null });
  });

  test('a parked attempt keeps its lease without waiting for a concurrent change', async () => {
    await start();
    await park();
    const leaseEnd = () =>
      database.query('SELECT lease_until FROM runs.attempts WHERE id = $1', [attempt_id]);
    const before = await leaseEnd();
    await database.transaction(async (change) => {
      await change.query('SELECT 1 FROM runs.attempts WHERE id = $1 FOR UPDATE', [attempt_id]);
      expect(await fate()).toBe('waits');
    });
    expect(await leaseEnd()).toEqual(before);
    expect(await fate()).toBe('waits');
    expect(await leaseEnd()).not.toEqual(before);
  });

  test('a parked attempt takes no slot of its run', async () => {
    const { id } = await fixture.createRun(pair.version.id, [agent], { max_concurrency: 1 });
    const [first, second] = await fixture.attempts(id);
    const jobs = () => fakes.jobs.filter((job) => job.run_id === id).map((job) => job.attempt_id);
    await waitFor(() => jobs().length === 1);
    expect(jobs()).toEqual([first?.id]);
    attempt_id = first?.id ?? '';
    await start();
    await park();
    await waitFor(() => jobs().length === 2);
    expect(jobs()).toEqual([first?.id, second?.id]);
  });

  test('a parked attempt is not moved by a late report of its stage', async () => {
    await start();
    await park();
    await renew(fixture.bus, lease(), 'running');
    await renew(fixture.bus, lease(), 'settling');
    expect((await show()).state).toBe('parked');
  });

  test('a parked attempt belongs to the executor that parked it', async () => {
    await start();
    await park();
    const other = { ...lease(), executor_id: 'other' };
    await expect(fixture.bus.call(leases.park, { ...other, awaits: awaits(), state })).rejects.toMatchObject({
      code: 'lease_lost',
    });
    await expect(fixture.bus.call(leases.resume, { ...other, to_end: true })).rejects.toMatchObject({
      code: 'lease_lost',
    });
    const items = [{ attempt_id, delivery: 1 }];
    expect(await fixture.bus.call(leases.renewParked, { executor_id: 'other', items })).toEqual({
      items: [{ attempt_id, fate: 'lost' }],
    });
  });

  test('a human turn that arrives while the executor is gone reaches the next delivery', async () => {
    await start();
    await park();
    await database.query(`UPDATE runs.attempts SET lease_until = now() + interval '1 h' WHERE id = $1`, [
      attempt_id,
    ]);
    await sendTurn('kept for later');
    await loseLease();
    await waitFor(async () => (await show()).state === 'queued');
    expect(await fate()).toBe('lost');
    await expect(resume()).rejects.toMatchObject({ code: 'lease_lost' });
    expect((await show()).deliveries).toMatchObject([{ error: { code: 'worker_lost' } }]);
    await database.query(`UPDATE runs.attempts SET not_before = now() WHERE id = $1`, [attempt_id]);
    const plan = await start(2);
    expect(plan.conversation?.human_turns).toEqual([
      { phase_id: 'human', turn_index: 1, message: 'kept for later' },
    ]);
  });

  test('a parked attempt ends when its run is cancelled, and no attempt is parked in a cancelled run', async () => {
    await start();
    await park();
    await fixture.bus.call(runs.cancel, { workspace_id, run_id, actor: 'tests' });
    expect(await fate()).toBe('cancelled');
    await expect(sendTurn('x')).rejects.toMatchObject(conflict);
    expect(await resume()).toMatchObject({ resumed: true, is_cancelled: true, message: null });
    expect(await park()).toEqual({ parked: false });
    const result = resultOf({ last_sequence: 0 });
    await finish(fixture.bus, lease(), result);
    expect(await show()).toMatchObject({ state: 'finished', outcome: 'cancelled' });
    expect(
      await database.query('SELECT 1 FROM runs.awaited_turns WHERE attempt_id = $1', [attempt_id]),
    ).toEqual([]);
  });

  test('a parked attempt can be claimed again to be ended before its time', async () => {
    await start();
    await park();
    expect(await resume(true)).toMatchObject({ resumed: true, message: null });
  });

  test('a delivery reaches a manual phase that was requested before, and no other', async () => {
    await start();
    await request('extra');
    expect(await request('extra')).toMatchObject({ phase_id: 'extra', requested_by: 'ada' });
    expect(await reach()).toEqual({ is_requested: true });
    expect(await request('extra')).toMatchObject({ phase_id: 'extra' });
    const unknown = await request('human').catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(ContractError);
    expect(unknown).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('extra') });
  });

  test('a phase cannot be requested after the conversation has passed it, unless the attempt begins again', async () => {
    await start();
    expect(await reach()).toEqual({ is_requested: false });
    await expect(request('extra')).rejects.toMatchObject(conflict);
    await loseLease();
    await waitFor(async () => (await show()).state === 'queued');
    await request('extra');
    await database.query(`UPDATE runs.attempts SET not_before = now() WHERE id = $1`, [attempt_id]);
    await start(2);
    expect(await reach(2)).toEqual({ is_requested: true });
    await expect(reach(1)).rejects.toMatchObject({ code: 'lease_lost' });
  });

  test('a manual phase requested and reached at once is entered only by deliveries that were informed of it', async () => {
    await start();
    const [reached, requested] = await Promise.allSettled([reach(), request('extra')]);
    const isEntered = reached.status === 'fulfilled' && reached.value.is_requested;
    expect(requested.status === 'fulfilled').toBe(isEntered);
  });

  test('peers of an attempt are the other agents at the same case, with their steps', async () => {
    const rival = await fixture.scripted(`rival-${newId()}`);
    const { id } = await fixture.createRun(pair.version.id, [agent, rival]);
    const all = await fixture.attempts(id);
    const [mine, theirs] = all.filter(({ case_key }) => case_key === 'case-1');
    attempt_id = mine?.id ?? '';
    await start();
    const peers = () => fixture.bus.call(leases.peers, lease());
    expect(await peers()).toEqual({ items: [{ id: theirs?.id, steps: 0, state: 'waiting' }] });
    attempt_id = theirs?.id ?? '';
    await start();
    const ofPeer = { workspace_id, run_id: id, attempt_id, delivery: 1 };
    await emit(fixture.bus, ofPeer, { types: ['system.step.started', 'system.step.completed'] });
    attempt_id = mine?.id ?? '';
    await waitFor(async () => (await peers()).items[0]?.steps === 1);
    expect((await peers()).items).toEqual([{ id: theirs?.id, steps: 1, state: 'working' }]);
  });
});
