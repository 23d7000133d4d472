import { drawCaseOrder } from '@agentclash/challengepack';
import { runs } from '@agentclash/contracts';
import { largeWordPack, publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { waitFor } from '@agentclash/testkit';
import { slowdown } from '@agentclash/testkit/event-loop';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';
import { IN_SANDBOXES } from '../state/dispatch-policy.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;

const ATTEMPTS = 50_000;
const MIB = 1_048_576;

describe(`a run of ${ATTEMPTS} attempts`, () => {
  test('a large run is created and cancelled in seconds, without a message or an object for each of its attempts', async () => {
    const pack = fakes.add(publish(wordPack(500)));
    const agents = [await fixture.scripted('agent')];
    const count = async (where: string) => {
      const sql = `SELECT count(*)::int AS number FROM runs.attempts WHERE ${where}`;
      return (await database.query<{ number: number }>(sql))[0]?.number;
    };
    const before = process.memoryUsage().heapUsed;
    const startedAt = performance.now();
    const run = await fixture.createRun(pack.version.id, agents, { repetitions: 100 });
    const createdMs = performance.now() - startedAt;
    // A tenth of what one object for each would take.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * MIB);
    expect(createdMs).toBeLessThan(14_000 * slowdown());
    expect(run.progress).toMatchObject({ total: ATTEMPTS, queued: ATTEMPTS });
    expect(await count('true')).toBe(ATTEMPTS);
    expect(await count('nudged_at IS NOT NULL')).toBe(IN_SANDBOXES.maxInFlight);
    await waitFor(() => fakes.jobs.length === IN_SANDBOXES.maxInFlight);

    await fixture.bus.call(runs.cancel, { workspace_id, run_id: run.id, actor: 'tests' });
    const { progress } = await waitFor(
      async () => {
        const shown = await fixture.run(run.id);
        return shown.finished_at !== null && shown;
      },
      { timeoutMs: 150_000 },
    );
    expect(progress.by_outcome).toEqual({ cancelled: ATTEMPTS });
    expect(fakes.jobs).toHaveLength(IN_SANDBOXES.maxInFlight);
  });

  test('a run of as many different cases is created in seconds, in the drawn order, and holds nothing of their content', async () => {
    const pack = fakes.add(largeWordPack(ATTEMPTS / 2, 'large'));
    const agents = [await fixture.scripted('first'), await fixture.scripted('second')];
    fakes.caseRequests.length = 0;
    // The pages of the fake registry are made once.
    const keys = pack.manifest.input_sets.flatMap(({ cases = [] }) => cases.map(({ case_key }) => case_key));
    const before = process.memoryUsage().heapUsed;
    const startedAt = performance.now();
    const run = await fixture.createRun(pack.version.id, agents, { seed: 7, max_concurrency: 1 });
    const createdMs = performance.now() - startedAt;
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * MIB);
    expect(createdMs).toBeLessThan(14_000 * slowdown());
    expect(run.progress).toMatchObject({ total: ATTEMPTS });
    expect(fakes.caseRequests).toEqual(['keys', 'keys', 'keys']);
    // By the order of work: the agents meet each case side by side.
    const drawn = JSON.stringify(drawCaseOrder(7, keys));
    const [placed] = await database.query<{ number: number; wrong: number }>(
      `SELECT count(*)::int AS number, count(*) FILTER (WHERE a.ordinal <> 2 * (each.n - 1) + ra.ordinal)::int AS wrong
         FROM runs.attempts a JOIN runs.run_agents ra ON ra.id = a.run_agent_id
         JOIN json_array_elements_text('${drawn}'::json) WITH ORDINALITY AS each(key, n) ON each.key = a.case_key
        WHERE a.run_id = '${run.id}'`,
    );
    expect(placed).toEqual({ number: ATTEMPTS, wrong: 0 });
  });
});
