import { runs } from '@agentclash/contracts';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { claim, executeAttempt } from '../../testing/executor.js';
import { publish, wordPack } from '../../testing/published-pack.js';
import { openStage } from '../../testing/stage.js';

const LIMIT = 6;

const stage = await openStage({ WORKSPACE_MAX_CONCURRENT: String(LIMIT) });
const { fakes, database, workspaceId: workspace_id } = stage;

/** Attempts of all runs that are at work or whose job is out. */
async function handedOut(): Promise<number> {
  const sql = `SELECT count(*)::int AS number FROM runs.attempts
                WHERE state NOT IN ('queued', 'finished') OR (state = 'queued' AND nudged_at IS NOT NULL)`;
  return (await database.query<{ number: number }>(sql))[0]?.number ?? 0;
}

describe('the limit of a workspace', () => {
  const large = fakes.add(publish(wordPack(300, { slug: 'large' })));
  const small = fakes.add(publish(wordPack(10, { slug: 'small' })));

  test('the limit of a workspace holds for all its runs together, and each has its share of it', async () => {
    const agents = [await stage.scripted('agent')];
    let atWork = 0;
    let atWorkMost = 0;
    fakes.execute = async (job, bus) => {
      atWork += 1;
      atWorkMost = Math.max(atWorkMost, atWork);
      await executeAttempt(job, bus);
      atWork -= 1;
    };
    const many = await stage.createRun(large.version.id, agents, { max_concurrency: 1_000 });
    await waitFor(async () => (await stage.run(many.id)).progress.finished > 0);
    const few = await stage.createRun(small.version.id, agents);
    const seen: number[] = [];
    await waitFor(async () => {
      seen.push(await handedOut());
      return (await stage.run(few.id)).status === 'completed';
    });
    const { total, finished } = (await stage.run(many.id)).progress;
    expect(finished).toBeLessThan(total / 2);
    expect(Math.max(...seen)).toBeLessThanOrEqual(LIMIT);
    // A job may still be on its way back when its attempt has ended and the next is out.
    expect(atWorkMost).toBeLessThanOrEqual(2 * LIMIT);
    await stage.bus.call(runs.cancel, { workspace_id, run_id: many.id, actor: 'tests' });
    await waitFor(async () => (await handedOut()) === 0);
  });

  test('the limit leaves the share of a paused run to the others', async () => {
    fakes.execute = async () => {};
    const agents = [await stage.scripted('another')];
    const paused = await stage.createRun(large.version.id, agents);
    const [first] = await stage.attempts(paused.id);
    await claim(stage.bus, first?.id ?? '', 'e');
    expect(await handedOut()).toBe(LIMIT);
    await stage.bus.call(runs.pause, { workspace_id, run_id: paused.id, actor: 'tests' });
    const other = await stage.createRun(small.version.id, agents);
    const out = async () => (await stage.attempts(other.id)).filter(({ state }) => state === 'queued').length;
    expect(await out()).toBe(10);
    await stage.bus.call(runs.cancel, { workspace_id, run_id: paused.id, actor: 'tests' });
    await waitFor(async () => {
      const sql =
        'SELECT count(*)::int AS number FROM runs.attempts WHERE run_id = $1 AND nudged_at IS NOT NULL';
      // The one that the cancelled run still holds counts until its lease runs out.
      return (await database.query<{ number: number }>(sql, [other.id]))[0]?.number === LIMIT - 1;
    });
  });
});
