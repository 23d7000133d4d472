import { type Deployment, DRAFT_RUN_HOURS, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';
import { Retention } from '../deletion/workspace-storage.service.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;
const published = publish(wordPack(2));
const pack = fakes.add(published);
const draftOf = publish(wordPack(2));
const draft = fakes.add({
  ...draftOf,
  version: { ...draftOf.version, draft_expires_at: new Date(Date.now() + 86_400_000).toISOString() },
});

let agent: Deployment;
beforeAll(async () => {
  fakes.execute = (job, bus) => executeAttempt(job, bus);
  agent = await fixture.scripted('oracle');
});

const ended = async (versionId: string) => {
  const { id } = await fixture.createRun(versionId, [agent]);
  return await fixture.expectRunStatus(id, 'completed');
};
const listed = async () => {
  const { items } = await fixture.bus.call(runs.list, { workspace_id, limit: 200 });
  return items.map(({ id }) => id);
};
const age = (id: string, hours: number) =>
  database.query("UPDATE runs.runs SET finished_at = now() - interval '1 hour' * $2 WHERE id = $1", [
    id,
    hours,
  ]);

describe('runs of drafts', () => {
  test('the run of a draft is read by its id, has no number, and is in no list and no course of results', async () => {
    const before = await ended(pack.version.id);
    const run = await ended(draft.version.id);
    const after = await ended(pack.version.id);
    expect(run).toMatchObject({ draft: true, status: 'completed', pack: { slug: 'words' } });
    expect(run.number).toBeUndefined();
    expect(after).not.toHaveProperty('draft');
    expect(after.number).toBe((before.number ?? 0) + 1);
    expect(await listed()).toEqual([after.id, before.id]);
    const trends = await fixture.bus.call(runs.trends, { workspace_id, pack: 'words', limit: 50 });
    expect(trends.items.map(({ id }) => id)).toEqual([after.id, before.id]);
  });

  test('the run of a draft is deleted a day after its end, whatever the workspace keeps', async () => {
    const [old, young, other] = [
      await ended(draft.version.id),
      await ended(draft.version.id),
      await ended(pack.version.id),
    ];
    await age(old.id, DRAFT_RUN_HOURS + 1);
    await age(young.id, DRAFT_RUN_HOURS - 1);
    await age(other.id, DRAFT_RUN_HOURS + 1);
    expect(await fixture.get(Retention).apply(new AbortController().signal)).toEqual({ deleted: 1, held: 0 });
    const read = (run_id: string) => fixture.bus.call(runs.get, { workspace_id, run_id });
    await expect(read(old.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await read(young.id)).draft).toBe(true);
    expect((await read(other.id)).id).toBe(other.id);
  });
});
