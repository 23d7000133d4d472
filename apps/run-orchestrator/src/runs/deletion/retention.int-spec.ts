import { runs, storage } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';
import { StoredRuns } from '../../testing/stored-runs.js';
import { Retention } from './workspace-storage.service.js';

const fixture = await openOrchestrator({ RETENTION_DAYS: '30', WORKSPACE_EVIDENCE_BYTES_MAX: '1000' });
const stored = new StoredRuns(fixture);
const { fakes, workspaceId: workspace_id } = fixture;
const pack = fakes.add(publish(wordPack(1)));

const apply = () => fixture.get(Retention).apply(new AbortController().signal);
const usage = (workspaceId = workspace_id) => fixture.bus.call(storage.usage, { workspace_id: workspaceId });
const configure = (retention_days?: number | null) =>
  fixture.bus.call(storage.configure, {
    workspace_id,
    settings: retention_days === undefined ? {} : { retention_days },
    actor: 'tests',
  });
const kept = async (ids: readonly string[]) => {
  const { items } = await fixture.bus.call(runs.list, { workspace_id, limit: 200 });
  return ids.filter((id) => items.some((run) => run.id === id));
};

describe('retention', () => {
  test('retention deletes runs that ended before the retention of the operator, and no others', async () => {
    const [old, young] = [
      await stored.add([], { endedDaysAgo: 31 }),
      await stored.add([], { endedDaysAgo: 29 }),
    ];
    expect(await usage()).toMatchObject({ retention_days: 30, retention_set_by: 'operator' });
    expect(await apply()).toEqual({ deleted: 1, held: 0 });
    expect(await kept([old, young])).toEqual([young]);
  });

  test('the setting of the workspace replaces that of the operator: fewer days, for ever, or reset', async () => {
    const ids = [await stored.add([], { endedDaysAgo: 40 }), await stored.add([], { endedDaysAgo: 8 })];
    const elsewhere = await stored.add([], { endedDaysAgo: 8, workspaceId: newId() });
    expect(await configure(null)).toMatchObject({ retention_days: null, retention_set_by: 'workspace' });
    expect(await apply()).toEqual({ deleted: 0, held: 0 });
    expect(await kept(ids)).toEqual(ids);
    expect(await configure()).toMatchObject({ retention_days: 30, retention_set_by: 'operator' });
    expect(await apply()).toEqual({ deleted: 1, held: 0 });
    expect(await kept(ids)).toEqual(ids.slice(1));
    expect(await configure(7)).toMatchObject({ retention_days: 7, retention_set_by: 'workspace' });
    expect((await apply()).deleted).toBeGreaterThanOrEqual(1);
    expect(await kept(ids)).toEqual([]);
    const [still] = await fixture.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM runs.runs WHERE id = $1 AND workspace_id <> $2',
      [elsewhere, '00000000-0000-0000-0000-000000000000'],
    );
    expect(still?.n).toBe(1);
    await configure();
  });

  test('retention keeps runs that baselines hold, and deletes the others', async () => {
    const [held, due] = [
      await stored.add([], { endedDaysAgo: 50 }),
      await stored.add([], { endedDaysAgo: 50 }),
    ];
    fakes.baselines.add(held);
    expect(await apply()).toEqual({ deleted: 1, held: 1 });
    expect(await kept([held, due])).toEqual([held]);
    fakes.baselines.delete(held);
    expect(await apply()).toEqual({ deleted: 1, held: 0 });
  });
});

describe('the quota of stored evidence', () => {
  test('the quota counts the evidence of each run once, and refuses runs beyond it with the next steps', async () => {
    const bytes = await stored.store('x'.repeat(400));
    const first = await stored.add([bytes, bytes]);
    const agent = await fixture.scripted('agent');
    expect(await usage()).toMatchObject({ evidence_bytes: 400, evidence_bytes_max: 1_000 });
    await fixture.createRun(pack.version.id, [agent]);
    const others = [await stored.add([bytes]), await stored.add([bytes])];
    expect((await usage()).evidence_bytes).toBe(1_200);
    await expect(fixture.createRun(pack.version.id, [agent])).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringContaining('agentclash run delete'),
      details: { evidence_bytes: 1_200, evidence_bytes_max: 1_000 },
    });
    expect(await usage(newId())).toMatchObject({ runs: 0, evidence_bytes: 0 });
    for (const run_id of [first, ...others]) {
      await fixture.bus.call(runs.remove, { workspace_id, run_id, actor: 'tests' });
    }
    await waitFor(async () => (await usage()).evidence_bytes === 0);
    await fixture.createRun(pack.version.id, [agent]);
  });
});
