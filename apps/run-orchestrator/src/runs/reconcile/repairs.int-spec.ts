import { attempts, modelSlots } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { claim, executeAttempt, finish, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;

describe('stale attempts are repaired:', () => {
  const pack = fakes.add(publish(wordPack(1)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });

  async function start() {
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments);
    const [attempt] = await fixture.attempts(run_id);
    return { run_id, attempt_id: attempt?.id ?? '' };
  }

  async function finishWithoutEvents(attempt_id: string, last_sequence: number) {
    await claim(fixture.bus, attempt_id, 'e');
    const result = resultOf({ last_sequence });
    await finish(fixture.bus, { attempt_id, delivery: 1, executor_id: 'e' }, result);
  }

  test('a missing score of an attempt is requested again', async () => {
    const { run_id, attempt_id } = await start();
    fakes.loseScores = 1;
    await finishWithoutEvents(attempt_id, 0);
    await waitFor(() => fakes.loseScores === 0);
    expect(await fixture.run(run_id)).toMatchObject({
      status: 'running',
      progress: { finished: 1, scored: 0 },
    });
    await database.query(`UPDATE runs.attempts SET score_due_at = now() WHERE id = $1`, [attempt_id]);
    await fixture.expectRunStatus(run_id, 'completed');
  });

  test('a slot of a call whose executor was killed is dropped, also without another request for its account', async () => {
    const account = newId();
    const [run_id, slot_id] = [newId(), newId()];
    const request = { provider_account_id: account, run_id, slot_id, owner: 'killed' };
    expect(await fixture.bus.call(modelSlots.acquire, request)).toMatchObject({ granted: true });
    await database.query(`UPDATE runs.model_slots SET lease_until = now() WHERE id = $1`, [slot_id]);
    await waitFor(async () => {
      const rows = await database.query(`SELECT id FROM runs.model_slots WHERE id = $1`, [slot_id]);
      return rows.length === 0;
    });
  });

  test('a missing ranking of a run is requested again', async () => {
    const { run_id, attempt_id } = await start();
    fakes.loseRankings = 1;
    await finishWithoutEvents(attempt_id, 0);
    await fixture.expectRunStatus(run_id, 'scoring');
    await waitFor(() => fakes.loseRankings === 0);
    await database.query(`UPDATE runs.runs SET score_due_at = now() WHERE id = $1`, [run_id]);
    await fixture.expectRunStatus(run_id, 'completed');
  });

  test('an attempt whose events never come is not graded by partial evidence', async () => {
    const { run_id, attempt_id } = await start();
    await finishWithoutEvents(attempt_id, 9);
    await database.query(`UPDATE runs.attempts SET score_due_at = now() WHERE id = $1`, [attempt_id]);
    const { progress } = await fixture.expectRunStatus(run_id, 'failed');
    expect(progress.by_outcome).toEqual({ infra_error: 1 });
    const shown = await fixture.bus.call(attempts.get, { workspace_id, attempt_id });
    expect(shown).toMatchObject({ outcome: 'infra_error', error: { code: 'events_lost' } });
  });

  test('the end of a run is published until that is recorded, and received once', async () => {
    const announced = async (run_id: string) => {
      const sql = 'SELECT announced_at AS at FROM runs.runs WHERE id = $1';
      return (await database.query<{ at: Date | null }>(sql, [run_id]))[0]?.at;
    };
    const [received, later] = [await start(), await start()];
    for (const { run_id, attempt_id } of [received, later]) {
      await finishWithoutEvents(attempt_id, 0);
      await waitFor(() => announced(run_id));
    }
    // The stream is in order: when the later end is received, every publication of the first was.
    await waitFor(() => fakes.ends.some(({ run_id }) => run_id === later.run_id));
    expect(fakes.ends.filter(({ run_id }) => run_id === received.run_id)).toMatchObject([
      { payload: { status: 'completed', ranking: [{ name: 'agent', rank: 1 }], counts: { finished: 1 } } },
    ]);
  });

  test('a run written by an orchestrator that died then is dispatched by the next', async () => {
    const { run_id } = await start();
    await fixture.stopOrchestrator();
    await database.query(`UPDATE runs.attempts SET nudged_at = NULL, nudge = 5 WHERE run_id = $1`, [run_id]);
    await database.query('DELETE FROM runs.events WHERE run_id = $1', [run_id]);
    await database.query('UPDATE runs.runs SET event_position = 0, event_sequence = 0 WHERE id = $1', [
      run_id,
    ]);
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    await fixture.startOrchestrator();
    await fixture.expectRunStatus(run_id, 'completed');
    const [first] = await fixture.history(run_id);
    expect(first).toMatchObject({ event_type: 'run.state_changed', payload: { from: null, to: 'queued' } });
  });

  test('a race resumes when its orchestrator is replaced in the middle', async () => {
    const long = fakes.add(publish(wordPack(40)));
    const { id: run_id } = await fixture.createRun(long.version.id, deployments, { max_concurrency: 4 });
    await waitFor(async () => (await fixture.run(run_id)).progress.finished >= 5, { timeoutMs: 30_000 });
    await fixture.stopOrchestrator();
    await fixture.startOrchestrator();
    const { progress } = await fixture.expectRunStatus(run_id, 'completed');
    expect(progress).toMatchObject({ finished: 40, scored: 40, by_outcome: { completed: 40 } });
    const history = await fixture.history(run_id);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
  });
});
