import { runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { claim, executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const LIMIT = 6;

const fixture = await openOrchestrator({ WORKSPACE_MAX_CONCURRENT: String(LIMIT) });
const { fakes, database, workspaceId: workspace_id } = fixture;

/** Attempts of all runs that are at work or whose job is out. */
async function inFlight(): Promise<number> {
  const sql = `SELECT count(*)::int AS number FROM runs.attempts
                WHERE state NOT IN ('queued', 'finished') OR (state = 'queued' AND nudged_at IS NOT NULL)`;
  return (await database.query<{ number: number }>(sql))[0]?.number ?? 0;
}

describe('the limit of a workspace', () => {
  const large = fakes.add(publish(wordPack(300, { slug: 'large' })));
  const small = fakes.add(publish(wordPack(10, { slug: 'small' })));

  test('the limit of a workspace holds for all its runs together, and each has its share of it', async () => {
    const agents = [await fixture.scripted('agent')];
    let atWork = 0;
    let atWorkMost = 0;
    fakes.execute = async (job, bus) => {
      atWork += 1;
      atWorkMost = Math.max(atWorkMost, atWork);
      await executeAttempt(job, bus);
      atWork -= 1;
    };
    const many = await fixture.createRun(large.version.id, agents, { max_concurrency: 1_000 });
    await waitFor(async () => (await fixture.run(many.id)).progress.finished > 0);
    const few = await fixture.createRun(small.version.id, agents);
    const seen: number[] = [];
    await waitFor(async () => {
      seen.push(await inFlight());
      return (await fixture.run(few.id)).status === 'completed';
    });
    const { total, finished } = (await fixture.run(many.id)).progress;
    expect(finished).toBeLessThan(total / 2);
    expect(Math.max(...seen)).toBeLessThanOrEqual(LIMIT);
    // A job may still be on its way back when its attempt has ended and the next is out.
    expect(atWorkMost).toBeLessThanOrEqual(2 * LIMIT);
    await fixture.bus.call(runs.cancel, { workspace_id, run_id: many.id, actor: 'tests' });
    await waitFor(async () => (await inFlight()) === 0);
  });

  test('the limit leaves the share of a paused run to the others', async () => {
    fakes.execute = async () => {};
    const agents = [await fixture.scripted('another')];
    const paused = await fixture.createRun(large.version.id, agents);
    const [first] = await fixture.attempts(paused.id);
    await claim(fixture.bus, first?.id ?? '', 'e');
    expect(await inFlight()).toBe(LIMIT);
    await fixture.bus.call(runs.pause, { workspace_id, run_id: paused.id, actor: 'tests' });
    const other = await fixture.createRun(small.version.id, agents);
    const out = async () =>
      (await fixture.attempts(other.id)).filter(({ state }) => state === 'queued').length;
    expect(await out()).toBe(10);
    await fixture.bus.call(runs.cancel, { workspace_id, run_id: paused.id, actor: 'tests' });
    await waitFor(async () => {
      const sql =
        'SELECT count(*)::int AS number FROM runs.attempts WHERE run_id = $1 AND nudged_at IS NOT NULL';
      // The one that the cancelled run still holds counts until its lease runs out.
      return (await database.query<{ number: number }>(sql, [other.id]))[0]?.number === LIMIT - 1;
    });
  });
});
