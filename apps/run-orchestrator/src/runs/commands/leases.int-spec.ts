import type { AttemptPlan } from '@agentclash/attempt-plan';
import { attempts, leases, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { emit, emitEvents, eventsOf } from '../../testing/emitted-events.js';
import {
  claim,
  finish as finishLease,
  identityOf,
  renew as renewLease,
  resultOf,
  retryable,
  WHOLE_HISTORY,
} from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

describe('the lease on an attempt', () => {
  const pack = fakes.add(publish(wordPack(1)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];
  let run_id: string;
  let attempt_id: string;

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });

  beforeEach(async () => {
    run_id = (await fixture.createRun(pack.version.id, deployments)).id;
    attempt_id = (await fixture.attempts(run_id))[0]?.id ?? '';
  });

  const show = () => fixture.bus.call(attempts.get, { workspace_id, attempt_id });
  const finish = (delivery: number, executor_id: string, result = resultOf({ last_sequence: 0 })) =>
    finishLease(fixture.bus, { attempt_id, delivery, executor_id }, result);
  const loseLease = () =>
    fixture.database.query(`UPDATE runs.attempts SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      attempt_id,
    ]);
  const endWait = () =>
    fixture.database.query(`UPDATE runs.attempts SET not_before = now() WHERE id = $1`, [attempt_id]);

  test('a lease goes to one of many executors that claim at once', async () => {
    const requested = Array.from({ length: 12 }, (_, n) => claim(fixture.bus, attempt_id, `executor-${n}`));
    const replies = await Promise.all(requested);
    expect(replies.filter((reply) => reply.claimed)).toHaveLength(1);
    const refused = replies.filter((reply) => !reply.claimed);
    expect(new Set(refused.map((reply) => reply.reason))).toEqual(new Set(['held']));
    expect(await show()).toMatchObject({ state: 'preparing', delivery: 1 });
  });

  test('a claim whose reply was lost returns the delivery again to the same claim id, until an event arrives', async () => {
    const [claim_id, executor_id] = [newId(), 'e'];
    const request = (changes: object = {}) =>
      claim(fixture.bus, attempt_id, executor_id, { claim_id, ...changes });
    const first = await request();
    if (!first.claimed) throw new Error(first.reason);
    await fixture.database.query(
      `UPDATE runs.attempts SET lease_until = now() + interval '5 s' WHERE id = $1`,
      [attempt_id],
    );
    expect(await request()).toEqual(first);
    const [row] = await fixture.database.query(
      `SELECT lease_until > now() + interval '20 s' AS "isRenewed" FROM runs.attempts WHERE id = $1`,
      [attempt_id],
    );
    expect(row).toEqual({ isRenewed: true });

    const refused = { claimed: false, reason: 'held' };
    expect(await request({ claim_id: newId() })).toEqual(refused);
    expect(await request({ claim_id: undefined })).toEqual(refused);
    expect(await claim(fixture.bus, attempt_id, 'thief', { claim_id })).toEqual(refused);
    await renewLease(fixture.bus, { attempt_id, delivery: 1, executor_id }, 'running');
    expect(await request()).toEqual(refused);
    expect(await show()).toMatchObject({ delivery: 1, deliveries: [{ delivery: 1 }] });
  });

  test('two concurrent requests of one claim win one delivery, which both replies contain', async () => {
    const claim_id = newId();
    const request = () => claim(fixture.bus, attempt_id, 'e', { claim_id });
    const replies = await Promise.all([request(), request(), request()]);
    expect(replies).toMatchObject([1, 2, 3].map(() => ({ claimed: true, delivery: 1 })));
    expect(await show()).toMatchObject({ delivery: 1, deliveries: [{ delivery: 1 }] });
  });

  test('a claim returns the plan of that delivery, without expectations in it', async () => {
    const reply = await claim(fixture.bus, attempt_id, 'e');
    if (!reply.claimed) throw new Error(reply.reason);
    expect(reply.plan).toMatchObject({
      schema: 'agentclash.attempt-plan/1',
      attempt_id,
      delivery: 1,
      mode: 'native',
      case: { payload: { word: 'w1' } },
    } satisfies Partial<{ [K in keyof AttemptPlan]: unknown }>);
    expect(JSON.stringify(reply.plan)).not.toContain('expectations');
  });

  test('a lease is extended and moved on by its holder only; a late report does not move the attempt back', async () => {
    await claim(fixture.bus, attempt_id, 'holder');
    const renew = (executor_id: string, state: 'preparing' | 'running' | 'settling', delivery = 1) =>
      renewLease(fixture.bus, { attempt_id, delivery, executor_id }, state);
    expect(await renew('holder', 'running')).toBe('held');
    await renew('holder', 'settling');
    await renew('holder', 'running');
    expect((await show()).state).toBe('settling');
    expect(await renew('thief', 'running')).toBe('lost');
    expect(await renew('holder', 'running', 2)).toBe('lost');
  });

  test('the holder receives the grader plan with expectations, and the attempt is verifying from then on', async () => {
    await claim(fixture.bus, attempt_id, 'holder');
    const request = { attempt_id, delivery: 1, executor_id: 'holder' };
    await expect(fixture.bus.call(leases.grader, { ...request, executor_id: 'thief' })).rejects.toMatchObject(
      {
        code: 'lease_lost',
      },
    );
    const { plan } = await fixture.bus.call(leases.grader, request);
    expect(plan).toMatchObject({ attempt_id, expectations: [{ key: 'word', value: 'w1' }] });
    expect((await show()).state).toBe('verifying');
  });

  test('the grader plan of an attempt whose phases have no gate is not given while its agent works', async () => {
    await claim(fixture.bus, attempt_id, 'holder');
    const request = { attempt_id, delivery: 1, executor_id: 'holder', for_phase: true as const };
    await expect(fixture.bus.call(leases.grader, request)).rejects.toMatchObject({ code: 'conflict' });
    expect((await show()).state).toBe('preparing');
  });

  test('a lost lease closes the open events of its executor and gives the attempt to another', async () => {
    const reply = await claim(fixture.bus, attempt_id, 'silent');
    if (!reply.claimed) throw new Error(reply.reason);
    const types = ['system.run.started', 'system.step.started', 'tool.call.started'];
    await emit(fixture.bus, identityOf(reply), { types });
    await waitFor(async () =>
      (await fixture.history(run_id)).some(({ event_type }) => event_type === 'tool.call.started'),
    );
    await loseLease();
    await waitFor(async () => (await show()).state === 'queued');

    const { items } = await fixture.bus.call(attempts.events, { workspace_id, attempt_id });
    expect(items.map(({ event_type, source }) => [event_type, source])).toEqual([
      ...types.map((type) => [type, 'scripted_agent']),
      ['tool.call.failed', 'orchestrator'],
      ['system.step.completed', 'orchestrator'],
      ['system.run.failed', 'orchestrator'],
    ]);
    expect(items.map(({ sequence_number }) => sequence_number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(items.at(-1)?.payload).toMatchObject({ error: { code: 'worker_lost' }, will_retry: true });

    expect(await finish(1, 'silent')).toBe(false);
    await emit(fixture.bus, identityOf(reply), { first: 4, types: ['tool.call.completed', 'x', 'y', 'z'] });
    expect(await claim(fixture.bus, attempt_id, 'next')).toMatchObject({ claimed: false, reason: 'waiting' });
    await endWait();
    const again = await claim(fixture.bus, attempt_id, 'next');
    expect(again).toMatchObject({ claimed: true, delivery: 2 });
    await finish(2, 'next');
    await fixture.expectRunStatus(run_id, 'completed');
    const first = await fixture.bus.call(attempts.events, { workspace_id, attempt_id, delivery: 1 });
    expect(first.items).toHaveLength(6);
    expect((await show()).deliveries).toMatchObject([
      { delivery: 1, outcome: 'infra_error', error: { code: 'worker_lost' } },
      { delivery: 2, outcome: 'completed' },
    ]);
  });

  test('the known cost of the calls of a lost delivery counts for its lane, which is unknown while a call was under way', async () => {
    const reply = await claim(fixture.bus, attempt_id, 'silent');
    if (!reply.claimed) throw new Error(reply.reason);
    const calls = [
      ['model.call.started', { call_id: '1' }],
      ['model.call.completed', { call_id: '1', cost_usd: 0.25, usage: { total: 30 } }],
      ['model.call.started', { call_id: '2' }],
    ] as const;
    const types = calls.map(([type]) => type);
    const events = eventsOf(identityOf(reply), { types: [...types] });
    const named = events.map((event, at) => ({ ...event, payload: { ...calls[at]?.[1] } }));
    await emitEvents(fixture.bus, identityOf(reply), named);
    await waitFor(async () => {
      const stored = (await fixture.history(run_id)).map(({ event_type }) => event_type);
      return stored.filter((type) => type.startsWith('model.call.')).length === types.length;
    });
    await loseLease();
    await waitFor(async () => (await show()).state === 'queued');
    const { items } = await fixture.bus.call(runs.agents, { workspace_id, run_id });
    const lane = items.find(({ id }) => id === reply.plan.run_agent_id);
    expect(lane?.tally).toMatchObject({ tokens: 30, cost_usd: null, cost_at_least_usd: 0.25 });
  });

  test('an attempt whose lease is lost with three executors ends with an error that states it', async () => {
    for (const delivery of [1, 2, 3]) {
      expect(await claim(fixture.bus, attempt_id, `e${delivery}`)).toMatchObject({ claimed: true, delivery });
      await loseLease();
      await waitFor(async () => (await show()).state === (delivery === 3 ? 'finished' : 'queued'));
      await endWait();
    }
    expect(await claim(fixture.bus, attempt_id, 'e4')).toEqual({ claimed: false, reason: 'finished' });
    await fixture.expectRunStatus(run_id, 'failed');
    expect(await show()).toMatchObject({
      outcome: 'infra_error',
      delivery: 3,
      error: {
        code: 'worker_lost',
        message:
          'The executor of this delivery did not report back in time. It was the last of 3 deliveries.',
      },
    });
  });

  test('a delivery ended by an infrastructure error is retried, three deliveries in all, and then the attempt ends', async () => {
    for (const delivery of [1, 2, 3]) {
      const reply = await claim(fixture.bus, attempt_id, 'e');
      expect(reply).toMatchObject({ claimed: true, delivery });
      await finish(delivery, 'e', { ...retryable, last_sequence: 0 });
      await endWait();
    }
    expect(await claim(fixture.bus, attempt_id, 'e')).toEqual({ claimed: false, reason: 'finished' });
    expect(await show()).toMatchObject({ state: 'finished', outcome: 'infra_error' });
    expect(await fixture.expectRunStatus(run_id, 'failed')).toMatchObject({
      progress: { by_outcome: { infra_error: 1 } },
    });
  });

  test('an attempt that is finished twice is finished once', async () => {
    await claim(fixture.bus, attempt_id, 'e');
    expect(await finish(1, 'e')).toBe(true);
    expect(await finish(1, 'e')).toBe(true);
    expect((await fixture.expectRunStatus(run_id, 'completed')).progress).toMatchObject({
      finished: 1,
      running: 0,
      queued: 0,
    });
    expect(await finish(1, 'other')).toBe(false);
  });

  test('an unclaimed job is sent again', async () => {
    await waitFor(() => fakes.jobs.some((job) => job.attempt_id === attempt_id));
    await fixture.database.query(
      `UPDATE runs.attempts SET nudged_at = now() - interval '61 s' WHERE id = $1`,
      [attempt_id],
    );
    await waitFor(() => fakes.jobs.filter((job) => job.attempt_id === attempt_id).length === 2);
  });

  test('an attempt waits for the events of its delivery before it is scored', async () => {
    const reply = await claim(fixture.bus, attempt_id, 'e');
    if (!reply.claimed) throw new Error(reply.reason);
    await finish(1, 'e', resultOf());
    await emit(fixture.bus, identityOf(reply), { first: 2, types: WHOLE_HISTORY.slice(1) });
    await waitFor(async () =>
      (await fixture.history(run_id)).some(({ event_type }) => event_type === 'system.run.completed'),
    );
    expect(fakes.scoreRequests.some((job) => job.attempt_id === attempt_id)).toBe(false);
    await emit(fixture.bus, identityOf(reply), { types: WHOLE_HISTORY.slice(0, 1) });
    await fixture.expectRunStatus(run_id, 'completed');
  });
});
