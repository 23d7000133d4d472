import { attempts, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { claim, executeAttempt, finish, renew, resultOf, retryable } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

describe('cancelling a run', () => {
  const pack = fakes.add(publish(wordPack(4)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });

  const start = async () => {
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments);
    return { run_id, ids: (await fixture.attempts(run_id)).map(({ id }) => id) };
  };
  const cancel = (run_id: string) => fixture.bus.call(runs.cancel, { workspace_id, run_id, actor: 'tests' });

  test('a cancel finishes queued attempts at once, notifies executors, and ends the run with its last attempt', async () => {
    const { run_id, ids } = await start();
    const [attempt_id = ''] = ids;
    await claim(fixture.bus, attempt_id, 'e');
    const cancelled = await cancel(run_id);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      finished_at: null,
      progress: { queued: 0, running: 1 },
    });
    expect(cancelled.progress.by_outcome).toEqual({ cancelled: 3 });

    const lease = { attempt_id, delivery: 1, executor_id: 'e' };
    expect(await renew(fixture.bus, lease, 'running')).toBe('cancelled');
    const result = resultOf({ outcome: 'cancelled', finished_by: 'none', last_sequence: 0 });
    await finish(fixture.bus, lease, result);
    const ended = await fixture.run(run_id);
    expect(ended.finished_at).not.toBeNull();
    expect(ended.progress.by_outcome).toEqual({ cancelled: 4 });
    // Scores of cancelled attempts still arrive, before and after. They change nothing of the run's own history.
    const withoutScoring = async () =>
      (await fixture.history(run_id)).filter(({ source }) => source !== 'worker_scoring');
    const history = await withoutScoring();
    expect(history.at(-1)).toMatchObject({ event_type: 'run.completed', payload: { status: 'cancelled' } });
    await waitFor(async () => (await fixture.run(run_id)).progress.scored === 4);
    expect(await withoutScoring()).toEqual(history);
  });

  test('an attempt of a cancelled run that reports another end too late ends as cancelled', async () => {
    const { run_id, ids } = await start();
    const [done = '', broken = ''] = ids;
    for (const id of [done, broken]) await claim(fixture.bus, id, 'e');
    await cancel(run_id);
    for (const [attempt_id, result] of [
      [done, resultOf({ last_sequence: 0 })],
      [broken, { ...retryable, last_sequence: 0 }],
    ] as const) {
      const lease = { attempt_id, delivery: 1, executor_id: 'e' };
      for (const _repeat of [1, 2]) expect(await finish(fixture.bus, lease, result)).toBe(true);
      const shown = await fixture.bus.call(attempts.get, { workspace_id, attempt_id });
      expect(shown).toMatchObject({ state: 'finished', outcome: 'cancelled', error: null });
    }
    expect((await fixture.run(run_id)).progress.by_outcome).toEqual({ cancelled: 4 });
  });

  test('a cancelled run dispatches nothing more and refuses claims', async () => {
    const { run_id, ids } = await start();
    await cancel(run_id);
    for (const id of ids) expect(await claim(fixture.bus, id, 'late')).toMatchObject({ claimed: false });
    expect(await fixture.run(run_id)).toMatchObject({ status: 'cancelled', progress: { finished: 4 } });
  });

  test('a live attempt whose executor is unavailable ends with its lease after a cancel, without another delivery', async () => {
    const { run_id, ids } = await start();
    const [attempt_id = ''] = ids;
    await claim(fixture.bus, attempt_id, 'gone');
    await cancel(run_id);
    await fixture.database.query(`UPDATE runs.attempts SET lease_until = now() WHERE id = $1`, [attempt_id]);
    await waitFor(async () => (await fixture.run(run_id)).finished_at !== null);
    const shown = await fixture.bus.call(attempts.get, { workspace_id, attempt_id });
    expect(shown).toMatchObject({ state: 'finished', outcome: 'cancelled', delivery: 1 });
  });

  test('a repeated cancel has no further effect; a run that ended otherwise cannot be cancelled', async () => {
    const { run_id } = await start();
    await cancel(run_id);
    expect(await cancel(run_id)).toMatchObject({ status: 'cancelled' });

    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const other = await start();
    await fixture.expectRunStatus(other.run_id, 'completed');
    await expect(cancel(other.run_id)).rejects.toMatchObject({ code: 'conflict' });
  });
});
