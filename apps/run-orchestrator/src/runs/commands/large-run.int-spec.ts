import { runs } from '@agentclash/contracts';
import { waitFor } from '@agentclash/testkit';
import { slowdown } from '@agentclash/testkit/event-loop';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';
import { publish, wordPack } from '../../testing/published-pack.js';
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
});
