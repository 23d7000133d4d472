import { attempts, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { claim, executeAttempt, finish, resultOf, retryable } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;

/** Columns with the time of a next or a last action, by table. */
const MOMENTS = {
  attempts: ['nudged_at', 'not_before', 'lease_until', 'score_due_at', 'started_at', 'finished_at'],
  runs: ['created_at', 'started_at', 'finished_at', 'score_due_at', 'announced_at'],
  deliveries: ['started_at', 'finished_at'],
};

/** As if an hour had passed with nothing running. */
async function sleepAnHour(): Promise<void> {
  for (const [table, columns] of Object.entries(MOMENTS)) {
    const shifted = columns.map((column) => `${column} = ${column} - interval '1 hour'`);
    await database.query(`UPDATE runs.${table} SET ${shifted.join(', ')}`);
  }
}

describe('a run whose whole installation was stopped for an hour', () => {
  test('a race resumes from every state of its attempts after a long stop, and repeats nothing', async () => {
    const pack = fakes.add(publish(wordPack(6)));
    const agents = [await fixture.scripted('agent')];
    const { id: run_id } = await fixture.createRun(pack.version.id, agents, { max_concurrency: 5 });
    // Their jobs are taken off the queue and lead to nothing, as when the machine stops: what is due is in the rows.
    await waitFor(() => fakes.jobs.length === 5);
    const [done = '', failed = '', unscored = '', held = '', dispatched = '', waiting = ''] = (
      await fixture.attempts(run_id)
    ).map(({ id }) => id);
    const workThrough = async (attempt_id: string, result: ReturnType<typeof resultOf>) => {
      await claim(fixture.bus, attempt_id, 'e');
      const lease = { attempt_id, delivery: 1, executor_id: 'e' };
      await finish(fixture.bus, lease, { ...result, last_sequence: 0 });
    };
    await workThrough(done, resultOf());
    await waitFor(async () => (await fixture.run(run_id)).progress.scored === 1);
    await workThrough(failed, retryable);
    fakes.loseScores = 1;
    await workThrough(unscored, resultOf());
    await waitFor(() => fakes.loseScores === 0);
    await claim(fixture.bus, held, 'stopped-executor');

    await fixture.stopOrchestrator();
    await sleepAnHour();
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    await fixture.startOrchestrator();

    const { progress } = await fixture.expectRunStatus(run_id, 'completed');
    expect(progress).toMatchObject({ finished: 6, scored: 6, by_outcome: { completed: 6 } });
    const deliveries = async (attempt_id: string) =>
      (await fixture.bus.call(attempts.get, { workspace_id, attempt_id })).deliveries.map(
        ({ outcome, error }) => error?.code ?? outcome,
      );
    expect(await deliveries(done)).toEqual(['completed']);
    expect(await deliveries(unscored)).toEqual(['completed']);
    expect(await deliveries(failed)).toEqual(['sandbox_gone', 'completed']);
    expect(await deliveries(held)).toEqual(['worker_lost', 'completed']);
    for (const id of [dispatched, waiting]) expect(await deliveries(id)).toEqual(['completed']);
    const history = await fixture.history(run_id);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
  });

  test('a paused run remains paused after a long stop, and a cancelled one cancelled', async () => {
    fakes.execute = async () => {};
    const pack = fakes.add(publish(wordPack(2)));
    const agents = [await fixture.scripted('other')];
    const started = async () => {
      const { id: run_id } = await fixture.createRun(pack.version.id, agents);
      const [first] = await fixture.attempts(run_id);
      await claim(fixture.bus, first?.id ?? '', 'stopped-executor');
      return { workspace_id, run_id, actor: 'tests' };
    };
    const paused = await started();
    const cancelled = await started();
    await fixture.bus.call(runs.pause, paused);
    await fixture.bus.call(runs.cancel, cancelled);
    await fixture.stopOrchestrator();
    await sleepAnHour();
    await fixture.startOrchestrator();
    // The executor is gone with what it held: one waits to be tried again, the other is over.
    await waitFor(async () => (await fixture.run(paused.run_id)).progress.queued === 2);
    expect(await fixture.run(paused.run_id)).toMatchObject({ status: 'paused', progress: { running: 0 } });
    const ended = await waitFor(async () => {
      const run = await fixture.run(cancelled.run_id);
      return run.finished_at !== null && run;
    });
    expect(ended).toMatchObject({ status: 'cancelled', progress: { by_outcome: { cancelled: 2 } } });
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    await fixture.bus.call(runs.resume, paused);
    await waitFor(async () => {
      await database.query('UPDATE runs.attempts SET not_before = now() WHERE not_before > now()');
      return (await fixture.run(paused.run_id)).status === 'completed';
    });
  });
});
