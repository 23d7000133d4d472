import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { ContractError, evidence, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { Blobs, newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { emitEvents, eventsOf } from '../../testing/emitted-events.js';
import {
  claim,
  executeAttempt,
  finish,
  identityOf,
  resultOf,
  WHOLE_HISTORY,
} from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;
const pack = fakes.add(publish(wordPack(2)));
const TABLES = ['run_agents', 'attempts', 'deliveries', 'events', 'evidence_references', 'run_deletions'];

let agent: Awaited<ReturnType<typeof fixture.scripted>>;
let store: Blobs;
beforeAll(async () => {
  store = await Blobs.inFolder(fixture.blobFolder);
  agent = await fixture.scripted('agent');
});
afterEach(() => {
  fakes.execute = async () => {};
  fakes.beforeRelease = () => {};
  fakes.beforeRemoval = () => {};
});

const remove = (run_id: string) => fixture.bus.call(runs.remove, { workspace_id, run_id, actor: 'tests' });
const blobs = () => store.evidence;
const countOf = async (run_id: string) => {
  const counts = await Promise.all(
    TABLES.map(async (table) => {
      const column =
        table === 'deliveries'
          ? 'attempt_id IN (SELECT id FROM runs.attempts WHERE run_id = $1)'
          : 'run_id = $1';
      const [row] = await database.query<{ n: string }>(
        `SELECT count(*) AS n FROM runs.${table} WHERE ${column}`,
        [run_id],
      );
      return [table, Number(row?.n)] as const;
    }),
  );
  const [run] = await database.query<{ n: string }>('SELECT count(*) AS n FROM runs.runs WHERE id = $1', [
    run_id,
  ]);
  return { ...Object.fromEntries(counts), runs: Number(run?.n) };
};
const NOTHING = Object.fromEntries([...TABLES, 'runs'].map((table) => [table, 0]));
const isGone = (run_id: string) =>
  waitFor(async () => JSON.stringify(await countOf(run_id)) === JSON.stringify(NOTHING), {
    timeoutMs: 20_000,
  });

/** Stores bytes, and has them look two days old unless they are to be fresh. */
async function stored(text: string, isFresh = false): Promise<{ sha256: string; bytes: number }> {
  const blob = await blobs().put(text);
  const file = path.join(fixture.blobFolder, 'evidence', 'sha256', blob.sha256.slice(0, 2), blob.sha256);
  const then = new Date(Date.now() - 172_800_000);
  if (!isFresh) await utimes(file, then, then);
  return blob;
}

/** A completed run each of whose attempts refers to a workspace and to a large payload. */
async function raced(
  snapshot: { sha256: string; bytes: number },
  payload: { sha256: string; bytes: number },
) {
  fakes.execute = async ({ attempt_id }, bus) => {
    const claimed = await claim(bus, attempt_id, 'executor-1');
    if (!claimed.claimed) return;
    const delivery = identityOf(claimed);
    const [first, ...others] = eventsOf(delivery, { types: WHOLE_HISTORY });
    if (first === undefined) throw new Error('no events');
    const reference = { $ref: `sha256:${payload.sha256}`, bytes: payload.bytes, type: first.event_type };
    await emitEvents(bus, delivery, [{ ...first, payload: reference }, ...others]);
    const lease = { attempt_id, delivery: claimed.delivery, executor_id: 'executor-1' };
    await finish(bus, lease, resultOf({ snapshot }));
  };
  const { id } = await fixture.createRun(pack.version.id, [agent]);
  await fixture.expectRunStatus(id, 'completed');
  return id;
}

describe('deleting a run', () => {
  test('a deletion removes the run from every reader at once, and then its stored data in every service', async () => {
    const [snapshot, payload] = [await stored(newId()), await stored(JSON.stringify({ large: newId() }))];
    const run_id = await raced(snapshot, payload);
    const ids = (await fixture.attempts(run_id)).map(({ id }) => id);
    expect(
      await database.query(
        'SELECT sha256, bytes::int FROM runs.evidence_references WHERE run_id = $1 ORDER BY sha256',
        [run_id],
      ),
    ).toEqual([snapshot, payload].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)));

    await remove(run_id);
    await expect(fixture.run(run_id)).rejects.toMatchObject({ code: 'not_found' });
    const [attempt_id = ''] = ids;
    await expect(fixture.bus.call(runs.attempts, { workspace_id, run_id, limit: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      fixture.bus.call(runs.events, { workspace_id, run_id, after: 0, limit: 1 }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(
      (await fixture.bus.call(evidence.get, { workspace_id, attempt_ids: [attempt_id] })).absent,
    ).toEqual([{ attempt_id, code: 'not_found' }]);
    expect(
      (await fixture.bus.call(runs.list, { workspace_id, limit: 200 })).items.map(({ id }) => id),
    ).not.toContain(run_id);
    await expect(remove(run_id)).rejects.toMatchObject({ code: 'not_found' });

    await isGone(run_id);
    expect(fakes.removed).toEqual(expect.arrayContaining(ids));
    expect(fakes.revoked).toContain(run_id);
    expect(await blobs().has(snapshot.sha256)).toBe(false);
    expect(await blobs().has(payload.sha256)).toBe(false);
    expect(fixture.logged.some((line) => line.includes('deleted run removed') && line.includes(run_id))).toBe(
      true,
    );
  });

  test('a deletion keeps bytes that another run refers to, and bytes that were stored just before', async () => {
    const [shared, own] = [await stored(newId()), await stored(newId(), true)];
    const [first, second] = [await raced(shared, own), await raced(shared, shared)];
    await remove(first);
    await isGone(first);
    expect(await blobs().has(shared.sha256)).toBe(true);
    expect(await blobs().has(own.sha256)).toBe(true);
    await remove(second);
    await isGone(second);
    expect(await blobs().has(shared.sha256)).toBe(false);
  });

  test('a deletion is refused for a run that has not ended, with the next step, and for one of another workspace', async () => {
    const { id } = await fixture.createRun(pack.version.id, [agent]);
    await expect(remove(id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`agentclash run cancel ${id}`),
    });
    const elsewhere = fixture.bus.call(runs.remove, { workspace_id: newId(), run_id: id, actor: 'tests' });
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a deletion is refused while a baseline names the run, and the run can be used as before', async () => {
    const run_id = await raced(await stored(newId()), await stored(newId()));
    fakes.baselines.add(run_id);
    const refused = await remove(run_id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ContractError);
    expect(refused).toMatchObject({ code: 'conflict', details: { baselines: [{ name: 'default' }] } });
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const [first] = await fixture.attempts(run_id);
    const only = [first?.id ?? ''];
    await fixture.bus.call(runs.retry, { workspace_id, run_id, actor: 'tests', request: { only } });
    await fixture.expectRunStatus(run_id, 'completed');
    fakes.baselines.delete(run_id);
    await remove(run_id);
    await isGone(run_id);
  });

  test('a deletion is retried when scoring was unavailable, and no attempt of the run runs again meanwhile', async () => {
    const run_id = await raced(await stored(newId()), await stored(newId()));
    let isUnavailable = true;
    fakes.beforeRelease = () => {
      if (isUnavailable) throw new ContractError('unavailable', 'Scoring is unavailable.');
    };
    await expect(remove(run_id)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await fixture.run(run_id)).status).toBe('completed');
    const retried = fixture.bus.call(runs.retry, {
      workspace_id,
      run_id,
      actor: 'tests',
      request: { only: 'failed' },
    });
    await expect(retried).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('being deleted'),
    });
    isUnavailable = false;
    await isGone(run_id);
  });

  test('a deletion continues where it was interrupted, after failures and a restart', async () => {
    const [snapshot, payload] = [await stored(newId()), await stored(newId())];
    const run_id = await raced(snapshot, payload);
    let fails = 3;
    fakes.beforeRemoval = () => {
      fails -= 1;
      if (fails >= 0) throw new ContractError('unavailable', 'Scoring is unavailable.');
    };
    await remove(run_id);
    await fixture.stopOrchestrator();
    // The part that a killed purge had done already.
    await database.query('DELETE FROM runs.events WHERE run_id = $1 AND position < 5', [run_id]);
    await database.query('DELETE FROM runs.evidence_references WHERE run_id = $1 AND sha256 = $2', [
      run_id,
      payload.sha256,
    ]);
    await fixture.startOrchestrator();
    await isGone(run_id);
    expect(fails).toBeLessThan(0);
    expect(await blobs().has(snapshot.sha256)).toBe(false);
  });

  test('late events of a deleted run are stored in no table', async () => {
    const run_id = await raced(await stored(newId()), await stored(newId()));
    const [first] = await fixture.attempts(run_id);
    const late = { workspace_id, run_id, attempt_id: first?.id ?? '', delivery: 1 };
    fakes.beforeRemoval = () => {
      throw new ContractError('unavailable', 'Scoring is unavailable.');
    };
    await remove(run_id);
    const before = await countOf(run_id);
    await emitEvents(fixture.bus, late, eventsOf(late, { first: 4, types: ['system.step.started'] }));
    await waitFor(async () => fixture.logged.some((line) => line.includes(`There is no run ${run_id}`)));
    expect(await countOf(run_id)).toEqual(before);
    fakes.beforeRemoval = () => {};
    await isGone(run_id);
  });
});
