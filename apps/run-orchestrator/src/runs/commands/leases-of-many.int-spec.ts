import { leases } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventsOf } from '../../testing/emitted-events.js';
import { resultOf, WHOLE_HISTORY } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const CLAIMED_AT_ONCE = 64;

const fixture = await openOrchestrator();
const { fakes } = fixture;

describe('many leases in one request', () => {
  const pack = fakes.add(publish(wordPack(10)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });

  async function start(repetitions = 1) {
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments, { repetitions });
    const rows = await fixture.database.query<{ id: string }>(
      'SELECT id FROM runs.attempts WHERE run_id = $1 ORDER BY ordinal',
      [run_id],
    );
    return { run_id, ids: rows.map(({ id }) => id) };
  }
  const claim = async (attempt_ids: string[], executor_id: string) =>
    (await fixture.bus.call(leases.claim, { attempt_ids, executor_id })).items;
  const finish = async (attempt_ids: string[], executor_id: string, run_id?: string) => {
    const items = attempt_ids.map((attempt_id) => {
      const ofDelivery = { attempt_id, delivery: 1 };
      if (run_id === undefined) return { ...ofDelivery, result: resultOf({ last_sequence: 0 }) };
      const events = eventsOf({ run_id, ...ofDelivery }, { types: WHOLE_HISTORY });
      return { ...ofDelivery, result: resultOf(), events };
    });
    return (await fixture.bus.call(leases.finish, { executor_id, items })).items;
  };

  test('a claim of many attempts wins the free ones and returns a reason for each other', async () => {
    const { ids } = await start();
    const [held = '', ended = '', ...free] = ids;
    await claim([held, ended], 'a');
    await finish([ended], 'a');
    const unknown = newId();
    const items = await claim([held, ended, unknown, ...free], 'b');
    expect(items.map(({ attempt_id }) => attempt_id)).toEqual([held, ended, unknown, ...free]);
    expect(items.slice(0, 3)).toMatchObject([
      { claimed: false, reason: 'held' },
      { claimed: false, reason: 'finished' },
      { claimed: false, reason: 'unknown' },
    ]);
    for (const item of items.slice(3)) {
      expect(item).toMatchObject({ claimed: true, delivery: 1, plan: { attempt_id: item.attempt_id } });
    }
  });

  test('leases of the same attempts go each to one of the executors that claim them at once', async () => {
    const { ids } = await start();
    const claims = await Promise.all(Array.from({ length: 8 }, (_, n) => claim(ids, `executor-${n}`)));
    const won = claims.flat().filter(({ claimed }) => claimed);
    expect(won.map(({ attempt_id }) => attempt_id).sort()).toEqual([...ids].sort());
  });

  test('leases end with their events at their holder, and not at another executor', async () => {
    const { run_id, ids } = await start();
    const [mine = '', other = ''] = ids;
    await claim([mine], 'me');
    await claim([other], 'another');
    expect(await finish([mine, other], 'me', run_id)).toEqual([
      { attempt_id: mine, accepted: true },
      { attempt_id: other, accepted: false },
    ]);
    const stored = (await fixture.history(run_id)).filter(
      ({ delivery, source }) => delivery !== undefined && source !== 'worker_scoring',
    );
    expect(stored.map(({ attempt_id, event_type }) => [attempt_id, event_type])).toEqual(
      WHOLE_HISTORY.map((type) => [mine, type]),
    );
    await waitFor(() => fakes.scoreRequests.some(({ attempt_id }) => attempt_id === mine));
  });

  test('many leases are renewed together, each with its own result', async () => {
    const { ids } = await start();
    const [mine = '', other = ''] = ids;
    await claim([mine], 'me');
    await claim([other], 'another');
    const items = [mine, other].map((attempt_id) => {
      return { attempt_id, delivery: 1, state: 'running' as const };
    });
    expect((await fixture.bus.call(leases.renew, { executor_id: 'me', items })).items).toEqual([
      { attempt_id: mine, fate: 'held' },
      { attempt_id: other, fate: 'lost' },
    ]);
  });

  test('leases end once each, however often and however many at the same time', async () => {
    const { run_id, ids } = await start(40);
    const parts = Array.from({ length: Math.ceil(ids.length / CLAIMED_AT_ONCE) }, (_, n) =>
      ids.slice(n * CLAIMED_AT_ONCE, (n + 1) * CLAIMED_AT_ONCE),
    );
    for (const part of parts) await claim(part, 'e');
    // Every end comes three times, in other company each time.
    const shifted = [...ids.slice(20), ...ids.slice(0, 20)];
    const again = parts.map((_, n) => shifted.slice(n * CLAIMED_AT_ONCE, (n + 1) * CLAIMED_AT_ONCE));
    const replies = await Promise.all(
      [...parts, ...again, ...parts].map((part) => finish(part, 'e', run_id)),
    );
    expect(replies.flat().every(({ accepted }) => accepted)).toBe(true);

    const { progress } = await fixture.expectRunStatus(run_id, 'completed');
    expect(progress).toMatchObject({ total: 400, finished: 400, scored: 400, running: 0, queued: 0 });
    const [counted] = await fixture.database.query<Record<string, number>>(
      `SELECT count(*)::int AS events, max(position) AS last, count(DISTINCT event_id)::int AS ids,
              count(*) FILTER (WHERE delivery IS NOT NULL AND source <> 'worker_scoring')::int AS of_deliveries,
              count(*) FILTER (WHERE event_type = 'scoring.completed')::int AS scorings
         FROM runs.events WHERE run_id = $1`,
      [run_id],
    );
    expect(counted?.of_deliveries).toBe(400 * WHOLE_HISTORY.length);
    expect(counted?.scorings).toBe(400);
    expect(counted?.last).toBe(counted?.events);
    expect(counted?.ids).toBe(counted?.events);
    const requested = fakes.scoreRequests
      .filter((job) => job.run_id === run_id)
      .map(({ attempt_id }) => attempt_id);
    expect(new Set(requested).size).toBe(400);
    expect(
      await fixture.bus.call(leases.claim, { attempt_ids: ids.slice(0, 1), executor_id: 'e' }),
    ).toMatchObject({
      items: [{ claimed: false, reason: 'finished' }],
    });
  });
});
