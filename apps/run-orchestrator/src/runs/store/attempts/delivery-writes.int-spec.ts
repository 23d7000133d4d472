import { attempts } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { claim, resultOf } from '../../../testing/executor.js';
import { publish, wordPack } from '../../../testing/published-pack.js';
import { openStage } from '../../../testing/stage.js';
import { RunChanges } from '../../changes/run-changes.service.js';
import { AttemptWrites } from './attempt-writes.store.js';
import type { Claim, Holder, Move } from './delivery-writes.store.js';

const stage = await openStage();
const { fakes, workspaceId: workspace_id } = stage;
const pack = fakes.add(publish(wordPack(1)));

describe('the number of a delivery is its fence: under an older one', () => {
  const times = { now: new Date(), scoreDueAt: new Date(), eventsDueAt: new Date() };
  const writes = () => stage.get(AttemptWrites);
  let runId: string;
  let held: Holder;
  let older: Holder;

  beforeEach(async () => {
    const deployed = await stage.scripted(`agent-${newId()}`);
    runId = (await stage.createRun(pack.version.id, [deployed])).id;
    const [attempt] = await stage.attempts(runId);
    const attemptId = attempt?.id ?? '';
    await claim(stage.bus, attemptId, 'e');
    await stage.database.query(
      `WITH next AS (UPDATE runs.attempts SET delivery = 2 WHERE id = $1 RETURNING id)
       INSERT INTO runs.deliveries (attempt_id, delivery, executor_id, started_at) SELECT id, 2, 'e', now() FROM next`,
      [attemptId],
    );
    held = { attemptId, delivery: 2, executorId: 'e' };
    older = { ...held, delivery: 1 };
  });

  const within = <T>(work: Parameters<typeof RunChanges.prototype.make<T>>[1]) =>
    stage.get(RunChanges).make(runId, work);
  const state = async () =>
    (await stage.bus.call(attempts.get, { workspace_id, attempt_id: held.attemptId })).state;

  test('no attempt moves on', async () => {
    const step = (holder: Holder): Move => ({ ...holder, from: 'preparing', to: 'running' });
    expect(await within((_change, tx) => writes().move(tx, [step(older)]))).toEqual([]);
    expect(await state()).toBe('preparing');
    expect(await within((_change, tx) => writes().move(tx, [step(held)]))).toHaveLength(1);
    expect(await state()).toBe('running');
  });

  test('no attempt ends, and neither does it for another executor', async () => {
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

  test('nothing is claimed: who holds an attempt keeps it', async () => {
    const { attemptId } = held;
    const lease = { executorId: 'other', leaseUntil: new Date(), now: new Date() };
    const wanted: Claim = { runId, attemptIds: [attemptId], ...lease };
    expect(await within((_change, tx) => writes().claim(tx, wanted))).toEqual([]);
    expect(
      await writes().renew([{ attempt_id: attemptId, delivery: 1 }], { executorId: 'e', until: new Date() }),
    ).toEqual([]);
  });
});
