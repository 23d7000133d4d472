import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Run, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { executeAttempt, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;
const pack = fakes.add(publish(wordPack(2)));
const other = fakes.add(publish(wordPack(1, { slug: 'other' })));

/** A completed run whose attempts take these times, one after the other. */
async function endedRun(versionId: string, names: readonly string[], times: readonly (number | null)[]) {
  const left = [...times];
  // A text of an agent that looks like the member is no time.
  const error = { code: 'exit', message: 'it printed "latency_ms":9', retryable: false };
  fakes.execute = (job, bus) => {
    const latency_ms = left.shift() ?? null;
    return executeAttempt(job, bus, resultOf({ error, latency_ms }));
  };
  const deployed = await Promise.all(names.map(agentOf));
  const { id } = await fixture.createRun(versionId, deployed);
  return await fixture.expectRunStatus(id, 'completed');
}

const known = new Map<string, ReturnType<typeof fixture.scripted>>();
function agentOf(name: string) {
  const agent = known.get(name) ?? fixture.scripted(name);
  known.set(name, agent);
  return agent;
}

const trends = (query: Partial<Parameters<typeof read>[0]> = {}) => read({ limit: 50, ...query });
const read = (query: { pack?: string; deployment?: string; limit: number; cursor?: string | undefined }) =>
  fixture.bus.call(runs.trends, { workspace_id, ...query });

describe('the course of results over runs', () => {
  let older: Run;
  let newer: Run;
  let elsewhere: Run;
  beforeAll(async () => {
    older = await endedRun(pack.version.id, ['a'], [100, 300.5]);
    newer = await endedRun(pack.version.id, ['a', 'b'], [null, null, null, null]);
    elsewhere = await endedRun(other.version.id, ['b'], [50]);
  });

  test('the completed runs have scores, costs and percentiles of times of their agents, newest first', async () => {
    const { items } = await trends({ pack: older.pack.slug });
    expect(items.map(({ id }) => id)).toEqual([newer.id, older.id]);
    expect(items[1]).toMatchObject({
      ...{ number: older.number, pack: older.pack, input_set: older.input_set, is_subset: false },
      agents: [
        {
          ...{
            name: 'a',
            judged: 2,
            passed: 2,
            finished: 2,
            overall_so_far: 1,
            cost_usd: expect.any(Number),
          },
          latency: { p50_ms: 200.25, p95_ms: expect.closeTo(290.475), attempts: 2 },
        },
      ],
    });
    // Nothing is known of their times.
    expect(items[0]?.agents.map(({ latency }) => latency)).toEqual([undefined, undefined]);
  });

  test('the figures of a lane are those of the run itself', async () => {
    const { items } = await fixture.bus.call(runs.agents, { workspace_id, run_id: older.id });
    expect(items.map(({ latency }) => latency)).toEqual([
      { p50_ms: 200.25, p95_ms: expect.closeTo(290.475), attempts: 2 },
    ]);
  });

  test('the results of a deployment, by name or id, are of its lanes alone, whatever the pack', async () => {
    const { id } = await agentOf('b');
    for (const deployment of ['b', id]) {
      const { items } = await trends({ deployment });
      expect(items.map((run) => [run.id, run.agents.map(({ name }) => name)])).toEqual([
        [elsewhere.id, ['b']],
        [newer.id, ['b']],
      ]);
    }
    expect((await trends({ deployment: 'none' })).items).toEqual([]);
  });

  test('the runs are read by page, and those of another workspace not at all', async () => {
    const first = await trends({ limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual([elsewhere.id, newer.id]);
    const rest = await trends({ limit: 2, cursor: first.next_cursor ?? '' });
    expect(rest.items.map(({ id }) => id)).toEqual([older.id]);
    expect(rest.next_cursor).toBeNull();
    const foreign = await fixture.bus.call(runs.trends, { workspace_id: newId() });
    expect(foreign.items).toEqual([]);
  });

  test('the times of runs that ended before they were stored are filled in by the migration', async () => {
    await database.query(
      'UPDATE runs.run_agents SET latency_attempts = 0, latency_p50_ms = NULL, latency_p95_ms = NULL',
    );
    const file = '../../../prisma/migrations/20261128190000_lane_latencies/migration.sql';
    const sql = readFileSync(path.resolve(import.meta.dirname, file), 'utf8');
    await database.query(`SET search_path TO runs; ${sql.slice(sql.indexOf('UPDATE "run_agents"'))}`);
    const { items } = await trends({ pack: older.pack.slug });
    expect(items.map(({ agents }) => agents[0]?.latency?.p50_ms)).toEqual([undefined, 200.25]);
  });
});
