import type { In } from '@agentclash/contracts';
import { attempts, deployments, evidence, leases, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { emitEvents, eventsOf } from '../../testing/emitted-events.js';
import { claim, executeAttempt, finish, identityOf, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

describe('a run with recorded model calls', () => {
  const pack = fakes.add(publish(wordPack(2)));
  const other = fakes.add(publish(wordPack(2, { slug: 'other-recorded' })));
  const types = [
    'system.run.started',
    'model.call.recorded',
    'model.call.recorded',
    'model.recording.stopped',
    'system.run.completed',
  ];
  let agents: Awaited<ReturnType<typeof fixture.scripted>>[];
  let recorded: string;

  beforeAll(async () => {
    const varied = {
      ...{ name: 'varied', kind: 'scripted' as const, config: {}, baseline: 'bare' },
      variants: { bare: {}, helped: { steps: [{ message: 'b' }] } },
    };
    agents = [
      await fixture.scripted('recorded'),
      await fixture.bus.call(deployments.create, { workspace_id, actor: 'tests', spec: varied }),
    ];
    fakes.execute = async ({ attempt_id }, bus) => {
      const claimed = await claim(bus, attempt_id, 'executor-1');
      if (!claimed.claimed) return;
      expect(claimed.plan).toMatchObject({ model_calls: 'record' });
      const identity = identityOf(claimed);
      const events = eventsOf(identity, { types }).map((event) => ({
        ...event,
        payload: { ...event.payload, of: attempt_id },
      }));
      await emitEvents(bus, identity, events);
      const lease = { attempt_id, delivery: claimed.delivery, executor_id: 'executor-1' };
      await finish(bus, lease, resultOf({ last_sequence: types.length, served_calls: 2 }));
    };
    const run = await fixture.createRun(pack.version.id, agents, { model_calls: 'record', repetitions: 2 });
    expect(run).toMatchObject({ model_calls: 'record' });
    recorded = run.id;
    await fixture.expectRunStatus(recorded, 'completed');
  });

  const refused = (
    request: Partial<In<typeof runs.create>['request']>,
    versionId = pack.version.id,
    by = agents,
  ) =>
    fixture.createRun(versionId, by, request).then(
      () => 'accepted',
      ({ code, message, details }) => [code, details.errors?.[0]?.field, message],
    );

  test('A replay serves each attempt the calls of the same deployment, case and repetition', async () => {
    fakes.execute = async () => {};
    const run = await fixture.createRun(pack.version.id, [...agents].reverse(), {
      model_calls: 'replay',
      replay_from: recorded,
    });
    expect(run).toMatchObject({ model_calls: 'replay', replay_from: recorded });
    const sources = await fixture.attempts(recorded);
    for (const { id: attempt_id, agent_name, case_key, repetition } of await fixture.attempts(run.id)) {
      const claimed = await claim(fixture.bus, attempt_id, 'executor-1');
      expect(claimed).toMatchObject({ claimed: true, plan: { model_calls: 'replay' } });
      const lease = { attempt_id, delivery: 1, executor_id: 'executor-1' };
      const source = sources.find(
        (each) =>
          each.agent_name === agent_name && each.case_key === case_key && each.repetition === repetition,
      );
      const { items, has_more } = await fixture.bus.call(leases.recording, { ...lease, after: 0 });
      expect(has_more).toBe(false);
      expect(items.map(({ event_type, payload }) => [event_type, payload.of])).toEqual(
        types.slice(1, 4).map((type) => [type, source?.id]),
      );
      const rest = await fixture.bus.call(leases.recording, {
        ...lease,
        after: items[0]?.sequence_number ?? 0,
      });
      expect(rest.items).toHaveLength(2);
      await expect(
        fixture.bus.call(leases.recording, { ...lease, executor_id: 'thief', after: 0 }),
      ).rejects.toMatchObject({ code: 'lease_lost' });
    }
  });

  test('Recorded calls are no evidence for grading, and an attempt shows its served calls', async () => {
    const [attempt] = await fixture.attempts(recorded);
    const attempt_id = attempt?.id ?? '';
    expect(await fixture.bus.call(attempts.get, { workspace_id, attempt_id })).toMatchObject({
      served_calls: 2,
    });
    const { items } = await fixture.bus.call(evidence.get, { workspace_id, attempt_ids: [attempt_id] });
    expect(items[0]?.events.map(({ event_type }) => event_type)).toEqual([types[0], types[4]]);
  });

  test('A replay without a recorded run, or of one that does not fit, is refused with the reason', async () => {
    const replay = { model_calls: 'replay' as const };
    const version = pack.version.id;
    expect(await refused({ replay_from: recorded })).toEqual([
      'invalid_input',
      'replay_from',
      'The run cannot be started: replay_from needs model_calls "replay".',
    ]);
    expect(await refused(replay)).toMatchObject([
      'invalid_input',
      'replay_from',
      expect.stringContaining('required'),
    ]);
    expect(await refused({ ...replay, replay_from: newId() })).toMatchObject([
      'not_found',
      undefined,
      expect.any(String),
    ]);
    expect(await refused({ ...replay, replay_from: recorded }, other.version.id)).toMatchObject([
      'invalid_input',
      'replay_from',
      expect.stringContaining('is a run of the pack'),
    ]);
    const third = await fixture.scripted('unrecorded');
    expect(await refused({ ...replay, replay_from: recorded }, version, [third])).toMatchObject([
      'invalid_input',
      'replay_from',
      expect.stringContaining('has no recording of unrecorded'),
    ]);
    expect(await refused({ ...replay, replay_from: recorded, repetitions: 3 })).toMatchObject([
      'invalid_input',
      'repetitions',
      expect.stringContaining('more than the 2'),
    ]);
    expect(await refused({ ...replay, replay_from: recorded, race_context: true })).toMatchObject([
      'invalid_input',
      'race_context',
      expect.stringContaining('exclude each other'),
    ]);
  });

  test('A replay of a run that was not recorded, or has not ended, is refused', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const live = await fixture.createRun(pack.version.id, agents);
    expect(live.model_calls).toBeUndefined();
    await fixture.expectRunStatus(live.id, 'completed');
    expect(await refused({ model_calls: 'replay', replay_from: live.id })).toMatchObject([
      'invalid_input',
      'replay_from',
      expect.stringContaining('start one with model_calls "record"'),
    ]);
    fakes.execute = async () => {};
    const waiting = await fixture.createRun(pack.version.id, agents, { model_calls: 'record' });
    expect(await refused({ model_calls: 'replay', replay_from: waiting.id })).toMatchObject([
      'conflict',
      undefined,
      expect.stringContaining('has not ended'),
    ]);
  });

  test('A case that a lane of the recorded run skipped is not recorded for that lane', async () => {
    const replay = { model_calls: 'replay' as const, replay_from: recorded };
    const [skipped] = await fixture.attempts(recorded);
    const [ofSkipped, other] = [0, 1].map((at) => agents.filter((_, each) => each === at));
    const set = (state: string) =>
      fixture.database.query(`UPDATE runs.attempts SET state = $2 WHERE id = $1`, [skipped?.id, state]);
    fakes.execute = async () => {};
    await set('skipped');
    expect(await refused(replay, pack.version.id, ofSkipped)).toMatchObject([
      'invalid_input',
      'replay_from',
      expect.stringContaining(`has no recording of ${skipped?.case_key}`),
    ]);
    expect(await refused(replay, pack.version.id, other)).toBe('accepted');
    await set('finished');
    expect(await refused(replay, pack.version.id, ofSkipped)).toBe('accepted');
  });

  test('Runs are listed by the mode of their model calls', async () => {
    const list = async (model_calls: 'live' | 'record' | 'replay' | 'cache') =>
      (await fixture.bus.call(runs.list, { workspace_id, pack: pack.version.slug, model_calls, limit: 200 }))
        .items;
    const recordings = await list('record');
    expect(recordings.map(({ id }) => id)).toContain(recorded);
    expect(recordings.filter(({ model_calls }) => model_calls !== 'record')).toEqual([]);
    const live = await list('live');
    expect(live.length).toBeGreaterThan(0);
    expect(live.filter(({ model_calls }) => model_calls !== undefined)).toEqual([]);
    expect((await list('replay')).map(({ replay_from }) => replay_from)).toContain(recorded);
  });

  test('A reply is found by its key in its workspace alone, and is gone with its run', async () => {
    fakes.execute = async () => {};
    const key = 'a'.repeat(64);
    const cached = await fixture.createRun(pack.version.id, agents, { model_calls: 'cache' });
    expect(cached).toMatchObject({ model_calls: 'cache' });
    const [first, second] = await fixture.attempts(cached.id);
    const leaseOf = async (attempt_id = '') => {
      const claimed = await claim(fixture.bus, attempt_id, 'executor-1');
      expect(claimed).toMatchObject({ plan: { model_calls: 'cache' } });
      return { attempt_id, delivery: 1, executor_id: 'executor-1' };
    };
    const [lease, other] = [await leaseOf(first?.id), await leaseOf(second?.id)];
    const find = async () => (await fixture.bus.call(leases.cachedReply, { ...other, key })).event;
    expect(await find()).toBeNull();
    await fixture.bus.call(leases.cacheReply, { ...lease, key, sequence_number: 2 });
    expect(await find()).toBeNull();
    const identity = { workspace_id, run_id: cached.id, attempt_id: lease.attempt_id, delivery: 1 };
    await emitEvents(fixture.bus, identity, eventsOf(identity, { types: types.slice(0, 2) }));
    expect(await waitFor(find)).toMatchObject({
      event_type: 'model.call.recorded',
      attempt_id: lease.attempt_id,
    });
    await expect(
      fixture.bus.call(leases.cachedReply, { ...other, executor_id: 'thief', key }),
    ).rejects.toMatchObject({ code: 'lease_lost' });
    await fixture.database.query(`UPDATE runs.cached_replies SET workspace_id = $1`, [newId()]);
    expect(await find()).toBeNull();
    await fixture.database.query(`DELETE FROM runs.runs WHERE id = $1`, [cached.id]);
    expect(await fixture.database.query(`SELECT FROM runs.cached_replies`)).toEqual([]);
  });
});
