import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';
import { IN_SANDBOXES } from '../state/dispatch-policy.js';

const fixture = await openOrchestrator();
const { fakes, database } = fixture;

describe('runs that share one queue', () => {
  test('a small run ends while most of a large one with an unlimited share is still queued', async () => {
    const agents = [await fixture.scripted('agent')];
    const large = fakes.add(publish(wordPack(20, { slug: 'large' })));
    const small = fakes.add(publish(wordPack(10, { slug: 'small' })));
    const waiting = async (runId: string) => {
      const sql = `SELECT count(*)::int AS number FROM runs.attempts
                    WHERE run_id = $1 AND state = 'queued' AND nudged_at IS NOT NULL`;
      return (await database.query<{ number: number }>(sql, [runId]))[0]?.number;
    };
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    fakes.execute = async (job, bus) => {
      await begun;
      await executeAttempt(job, bus);
    };
    const many = await fixture.createRun(large.version.id, agents, {
      ...{ repetitions: 100, max_concurrency: 10_000 },
    });
    expect(await waiting(many.id)).toBe(IN_SANDBOXES.maxQueued);

    begin();
    await waitFor(async () => (await fixture.run(many.id)).progress.finished > 0);
    const few = await fixture.createRun(small.version.id, agents);
    await fixture.expectRunStatus(few.id, 'completed');
    const { total, finished } = (await fixture.run(many.id)).progress;
    expect(total).toBe(2_000);
    expect(finished).toBeLessThan(total / 2);
    expect(await waiting(many.id)).toBeLessThanOrEqual(IN_SANDBOXES.maxQueued);
  });
});
