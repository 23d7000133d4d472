import { attempts, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, executeAttempt, resultOf } from '../../../testing/executor.js';
import { openOrchestrator } from '../../../testing/orchestrator-fixture.js';
import { RunChanges } from '../../changes/run-changes.service.js';
import { AttemptWrites } from './attempt-writes.store.js';
import type { Claim, Holder, Move } from './delivery-writes.store.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

const pack = fakes.add(publish(wordPack(1)));

describe('the number of a delivery is its fence: under an older one', () => {
  const times = { now: new Date(), scoreDueAt: new Date(), eventsDueAt: new Date() };
  const writes = () => fixture.get(AttemptWrites);
  let runId: string;
  let held: Holder;
  let older: Holder;

  beforeEach(async () => {
    const deployed = await fixture.scripted(`agent-${newId()}`);
    runId = (await fixture.createRun(pack.version.id, [deployed])).id;
    const [attempt] = await fixture.attempts(runId);
    const attemptId = attempt?.id ?? '';
    await claim(fixture.bus, attemptId, 'e');
    await fixture.database.query(
      `WITH next AS (UPDATE runs.attempts SET delivery = 2 WHERE id = $1 RETURNING id)
       INSERT INTO runs.deliveries (attempt_id, delivery, executor_id, started_at) SELECT id, 2, 'e', now() FROM next`,
      [attemptId],
    );
    held = { attemptId, delivery: 2, executorId: 'e' };
    older = { ...held, delivery: 1 };
  });

  const within = <T>(work: Parameters<typeof RunChanges.prototype.make<T>>[1]) =>
    fixture.get(RunChanges).make(runId, work);
  const state = async () =>
    (await fixture.bus.call(attempts.get, { workspace_id, attempt_id: held.attemptId })).state;

  test('no attempt moves on under an older delivery number', async () => {
    const step = (holder: Holder): Move => ({ ...holder, from: 'preparing', to: 'running' });
    expect(await within((_change, tx) => writes().move(tx, [step(older)]))).toEqual([]);
    expect(await state()).toBe('preparing');
    expect(await within((_change, tx) => writes().move(tx, [step(held)]))).toHaveLength(1);
    expect(await state()).toBe('running');
  });

  test('no attempt ends under an older delivery number, and neither does it for another executor', async () => {
    const end = (holder: Holder) =>
      within((_change, tx) =>
        writes().end(tx, [{ ...holder, result: resultOf({ last_sequence: 0 }), eventsAdded: 0 }], times),
      );
    expect(await end(older)).toEqual([]);
    expect(await end({ ...held, executorId: 'other' })).toEqual([]);
    expect(await state()).toBe('preparing');
    expect(await end(held)).toHaveLength(1);
    expect(await end(held)).toEqual([]);
  });

  test('an attempt under an older delivery number is not claimed: its holder keeps it', async () => {
    const { attemptId } = held;
    const lease = { executorId: 'other', leaseUntil: new Date(), now: new Date() };
    const wanted: Claim = { runId, attemptIds: [attemptId], ...lease };
    expect(await within((_change, tx) => writes().claim(tx, wanted))).toEqual([]);
    expect(
      await writes().renew([{ attempt_id: attemptId, delivery: 1 }], { executorId: 'e', until: new Date() }),
    ).toEqual([]);
  });
});

describe('a part of an id', () => {
  let run_id: string;
  let attempt_id: string;
  const find = (part: string, workspace = workspace_id) =>
    fixture.bus.call(runs.findIds, { workspace_id: workspace, part });

  beforeAll(async () => {
    const pack = fakes.add(publish(wordPack(2)));
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    run_id = (await fixture.createRun(pack.version.id, [await fixture.scripted('a')])).id;
    await fixture.expectRunStatus(run_id, 'completed');
    attempt_id = (await fixture.attempts(run_id))[0]?.id ?? '';
  });

  test('part of an id finds the run or attempt with this beginning or end, in any case of letters', async () => {
    for (const part of [run_id, run_id.slice(0, 20), run_id.slice(-8), run_id.slice(-8).toUpperCase()]) {
      expect((await find(part)).runs).toEqual([run_id]);
    }
    for (const part of [attempt_id, attempt_id.slice(-8), attempt_id.replaceAll('-', '')]) {
      expect(await find(part)).toEqual({ runs: [], attempts: [attempt_id] });
    }
  });

  test('an ambiguous part of an id names all of its matches', async () => {
    const of = await fixture.attempts(run_id);
    const shared = of[0]?.id.slice(0, 8) ?? '';
    const { attempts } = await find(shared);
    expect(attempts).toEqual(expect.arrayContaining(of.map(({ id }) => id)));
  });

  test('part of an id finds nothing of another workspace, and nothing in the middle of an id', async () => {
    expect(await find(run_id, newId())).toEqual({ runs: [], attempts: [] });
    expect((await find(run_id.slice(19, 30))).runs).toEqual([]);
  });

  test.each(['abc', 'x123456', '%%%%', '----', `${'a'.repeat(33)}`])(
    'the part "%s" of an id is refused',
    async (part) => {
      await expect(find(part)).rejects.toMatchObject({ code: 'invalid_input' });
    },
  );
});

test('a list of runs names the agents of each, with their ranks', async () => {
  const { items } = await fixture.bus.call(runs.list, { workspace_id });
  expect(items[0]?.agents).toEqual([
    {
      ...{ id: expect.any(String), deployment_id: expect.any(String), name: 'a', judged: 2, passed: 2 },
      ...{ overall_so_far: 1, cost_usd: expect.any(Number), rank: 1 },
    },
  ]);
});

test('attempts are listed by their case', async () => {
  const { items } = await fixture.bus.call(runs.list, { workspace_id });
  const run_id = items[0]?.id ?? '';
  const page = await fixture.bus.call(runs.attempts, { workspace_id, run_id, case_key: 'case-2' });
  expect(page.items.map(({ case_key }) => case_key)).toEqual(['case-2']);
});

test('attempts are listed by a part of the key of their case, whose letters may be of any case', async () => {
  const { items } = await fixture.bus.call(runs.list, { workspace_id });
  const run_id = items[0]?.id ?? '';
  const keysOf = async (q: string, more: { case_key?: string } = {}) =>
    (await fixture.bus.call(runs.attempts, { workspace_id, run_id, q, ...more })).items.map(
      ({ case_key }) => case_key,
    );
  expect(await keysOf('SE-2')).toEqual(['case-2']);
  expect(await keysOf('case', { case_key: 'case-1' })).toEqual(['case-1']);
  // No pattern of LIKE.
  expect(await keysOf('case_2')).toEqual([]);
  expect(await keysOf('%')).toEqual([]);
});
