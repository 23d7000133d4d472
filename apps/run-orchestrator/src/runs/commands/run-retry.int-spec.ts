import { type AttemptResult, attempts, runs, scoringEvents } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, executeAttempt, finish, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

/** How the first delivery of each case ends. */
const ENDS = ['completed', 'agent_error', 'infra_error', 'provider_error'] as const;

const ending = (outcome: AttemptResult['outcome']) =>
  resultOf({
    outcome,
    finished_by: outcome === 'completed' ? 'script' : 'none',
    error:
      outcome === 'completed'
        ? null
        : { code: 'some', message: 'some', retryable: outcome === 'infra_error' },
  });

describe('retrying attempts of a run', () => {
  const pack = fakes.add(publish(wordPack(ENDS.length)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });

  beforeEach(() => {
    fakes.execute = async () => {};
    fakes.judge = ({ result }) =>
      result.outcome === 'completed' ? 1 : result.outcome === 'agent_error' ? 0 : null;
  });

  const order = { workspace_id, actor: 'tests' };
  const retry = (run_id: string, only: 'infra' | 'failed' | string[]) =>
    fixture.bus.call(runs.retry, { ...order, run_id, request: { only } });
  const show = (attempt_id: string) => fixture.bus.call(attempts.get, { workspace_id, attempt_id });
  const noMoreBackoff = (run_id: string) =>
    fixture.database.query(
      `UPDATE runs.attempts SET not_before = now() WHERE run_id = $1 AND not_before > now()`,
      [run_id],
    );

  /** A run whose attempts have ended as in `ENDS`, in this order. */
  async function raced(): Promise<{ run_id: string; ids: string[] }> {
    // An attempt may be dispatched before its id is read here.
    const known = Promise.withResolvers<string[]>();
    fakes.execute = async (job, bus) => {
      const outcome = ENDS[(await known.promise).indexOf(job.attempt_id)];
      await executeAttempt(job, bus, ending(outcome ?? 'completed'));
      await noMoreBackoff(job.run_id);
    };
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments, { max_concurrency: 1 });
    const ids = (await fixture.attempts(run_id)).map(({ id }) => id);
    known.resolve(ids);
    await fixture.expectRunStatus(run_id, 'completed');
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    return { run_id, ids };
  }

  test('a retry of an ended run by infra runs only those attempts, scores and ranks again, and ends once more', async () => {
    const { run_id, ids } = await raced();
    const before = await fixture.run(run_id);
    expect(before.progress).toMatchObject({
      scored: 4,
      passed: 1,
      by_outcome: { completed: 1, agent_error: 1, infra_error: 1, provider_error: 1 },
    });
    const first = await fixture.history(run_id);

    const retried = await retry(run_id, 'infra');
    expect(retried).toMatchObject({ retried: 2, status: 'running', finished_at: null });
    expect(retried.selective_retry).toBeUndefined();
    const after = await fixture.expectRunStatus(run_id, 'completed');
    expect(after.progress).toEqual({
      ...before.progress,
      graded: 4,
      passed: 3,
      by_outcome: { completed: 3, agent_error: 1 },
    });
    expect(Date.parse(after.finished_at ?? '')).toBeGreaterThan(Date.parse(before.finished_at ?? ''));

    const deliveries = await Promise.all(ids.map(async (id) => (await show(id)).delivery));
    expect(deliveries).toEqual([1, 1, 4, 2]);
    const history = await fixture.history(run_id);
    expect(history.slice(0, first.length)).toEqual(first);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
    expect(history.filter(({ event_type }) => event_type === 'run.completed')).toHaveLength(2);
    const moves = history.filter(({ event_type }) => event_type === 'run.state_changed').slice(-3);
    expect(moves.map(({ payload }) => [payload.from, payload.to, payload.reason])).toEqual([
      ['completed', 'running', 'retried by tests'],
      ['running', 'scoring', undefined],
      ['scoring', 'completed', undefined],
    ]);
    await waitFor(() => fakes.ends.filter((end) => end.run_id === run_id).length === 2);
  });

  test('a retry by infra includes completed attempts that could not be verified, without marking the run', async () => {
    const { run_id, ids } = await raced();
    const [completed = ''] = ids;
    await fixture.database.query(
      `UPDATE runs.events SET event_type = 'grader.verification.failed'
        WHERE attempt_id = $1 AND delivery = 1 AND sequence_number = 2`,
      [completed],
    );
    expect(await retry(run_id, 'infra')).toMatchObject({ retried: 3 });
    const after = await fixture.expectRunStatus(run_id, 'completed');
    expect(after.selective_retry).toBeUndefined();
    expect((await show(completed)).delivery).toBe(2);
    expect(after.progress).toMatchObject({ passed: 3, by_outcome: { completed: 3, agent_error: 1 } });
  });

  test('a retry keeps the evidence of earlier deliveries, readable', async () => {
    const { run_id, ids } = await raced();
    await retry(run_id, 'failed');
    await fixture.expectRunStatus(run_id, 'completed');
    const [, attempt_id = ''] = ids;
    expect((await show(attempt_id)).deliveries).toMatchObject([
      { delivery: 1, outcome: 'agent_error', error: { code: 'some' } },
      { delivery: 2, outcome: 'completed', error: null },
    ]);
    for (const delivery of [1, 2]) {
      const request = { workspace_id, attempt_id, delivery };
      const { items } = await fixture.bus.call(attempts.events, request);
      expect(items.filter(({ source }) => source !== 'worker_scoring')).toHaveLength(3);
    }
  });

  test('a retry by result or by name marks the run permanently', async () => {
    const { run_id, ids } = await raced();
    expect(await retry(run_id, 'failed')).toMatchObject({ retried: 3, selective_retry: true });
    await fixture.expectRunStatus(run_id, 'completed');
    expect((await fixture.history(run_id)).at(-1)?.payload).toMatchObject({ selective_retry: true });
    expect(await retry(run_id, [ids[0] ?? ''])).toMatchObject({ retried: 1 });
    expect(await fixture.expectRunStatus(run_id, 'completed')).toMatchObject({
      selective_retry: true,
      progress: { finished: 4, scored: 4, passed: 4 },
    });
    expect((await fixture.bus.call(runs.list, { workspace_id })).items).toContainEqual(
      expect.objectContaining({ id: run_id, selective_retry: true }),
    );
  });

  test('a retry of a paused run waits until it is resumed', async () => {
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments);
    const ids = (await fixture.attempts(run_id)).map(({ id }) => id);
    const [ended = '', other = ''] = ids;
    for (const id of [ended, other]) await claim(fixture.bus, id, 'e');
    const result = { ...ending('provider_error'), last_sequence: 0 };
    await finish(fixture.bus, { attempt_id: ended, delivery: 1, executor_id: 'e' }, result);
    await fixture.bus.call(runs.pause, { ...order, run_id });
    expect(await retry(run_id, 'infra')).toMatchObject({ retried: 1, status: 'paused' });
    expect(await claim(fixture.bus, ended, 'e')).toEqual({ claimed: false, reason: 'run_paused' });
    await fixture.bus.call(runs.resume, { ...order, run_id });
    expect(await claim(fixture.bus, ended, 'e')).toMatchObject({ claimed: true, delivery: 2 });
    await fixture.bus.call(runs.cancel, { ...order, run_id });
  });

  test('a retry gives each attempt as many deliveries as at first, the last one being the evidence', async () => {
    const { run_id, ids } = await raced();
    fakes.execute = async (job, bus) => {
      await executeAttempt(job, bus, ending('infra_error'));
      await noMoreBackoff(job.run_id);
    };
    const [, , broken = ''] = ids;
    expect((await show(broken)).delivery).toBe(3);
    await retry(run_id, [broken]);
    await fixture.expectRunStatus(run_id, 'completed');
    expect(await show(broken)).toMatchObject({ delivery: 6, outcome: 'infra_error' });
  });

  test('a retry of unknown, unfinished, cancelled or no attempts is refused and changes nothing', async () => {
    const { run_id, ids } = await raced();
    const before = await fixture.history(run_id);
    await expect(retry(run_id, [ids[0] ?? '', newId()])).rejects.toMatchObject({ code: 'not_found' });
    await retry(run_id, 'failed');
    await fixture.expectRunStatus(run_id, 'completed');
    for (const only of ['infra', 'failed'] as const) {
      await expect(retry(run_id, only)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/nothing to retry/),
      });
    }
    expect((await fixture.history(run_id)).slice(0, before.length)).toEqual(before);

    fakes.execute = async () => {};
    const live = await fixture.createRun(pack.version.id, deployments);
    const [waiting] = await fixture.attempts(live.id);
    await expect(retry(live.id, [waiting?.id ?? ''])).rejects.toMatchObject({ code: 'conflict' });
    await fixture.bus.call(runs.cancel, { ...order, run_id: live.id });
    await expect(retry(live.id, 'failed')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/cancelled/),
    });
  });

  test('a retry uses no score of an earlier delivery, nor an earlier ranking', async () => {
    const { run_id, ids } = await raced();
    const [attempt] = await fixture.attempts(run_id);
    const [, failed = ''] = ids;
    const at = { workspace_id, run_id };
    fakes.execute = async () => {};
    await retry(run_id, [failed]);
    await claim(fixture.bus, failed, 'e');
    const result = resultOf({ last_sequence: 0 });
    fakes.loseScores = 1;
    await finish(fixture.bus, { attempt_id: failed, delivery: 2, executor_id: 'e' }, result);
    await waitFor(() => fakes.loseScores === 0);
    const late = { run_agent_id: attempt?.run_agent_id ?? '', attempt_id: failed, delivery: 1, revision: 9 };
    const score = { overall: 0, passed: false, validity: 'valid', failure: null };
    await fixture.bus.publish(
      scoringEvents.attemptsScored,
      { ...at, items: [{ ...late, ...score }] },
      newId(),
    );
    // Published after it, hence received after it: the score of the current delivery.
    fakes.loseRankings = 1;
    const current = { ...late, ...score, delivery: 2, revision: 2, overall: 1, passed: true };
    await fixture.bus.publish(scoringEvents.attemptsScored, { ...at, items: [current] }, newId());
    await fixture.expectRunStatus(run_id, 'scoring');
    expect((await fixture.run(run_id)).progress).toMatchObject({ scored: 4, passed: 2 });
    await fixture.bus.publish(scoringEvents.runScored, { ...at, round: 1, ranking: [] }, newId());
    await fixture.bus.publish(scoringEvents.runScored, { ...at, round: 2, ranking: [{ rank: 1 }] }, newId());
    await fixture.expectRunStatus(run_id, 'completed');
    expect((await fixture.history(run_id)).at(-1)?.payload).toMatchObject({ ranking: [{ rank: 1 }] });
  });

  test('a retried attempt whose score is replaced meanwhile reports the replaced score', async () => {
    const { run_id, ids } = await raced();
    const [kept = '', failed = ''] = ids;
    fakes.execute = async () => {};
    await retry(run_id, [failed]);
    const { run_agent_id } = await show(kept);
    const score = { overall: 0.25, passed: false, validity: 'valid', failure: null };
    const items = [{ run_agent_id, attempt_id: kept, delivery: 1, revision: 2, ...score }];
    await fixture.bus.publish(scoringEvents.attemptsScored, { workspace_id, run_id, items }, newId());
    const received = await waitFor(async () =>
      (await fixture.history(run_id)).find(
        ({ event_type, payload }) => event_type === 'run.attempt_scored' && payload.overall === 0.25,
      ),
    );
    expect(received).toMatchObject({ attempt_id: kept, payload: { replaces: { overall: 1, passed: true } } });
    expect((await fixture.run(run_id)).progress).toMatchObject({ scored: 3, passed: 0 });
    const first = (await fixture.history(run_id)).find(
      ({ event_type }) => event_type === 'run.attempt_scored',
    );
    expect(first?.payload).not.toHaveProperty('replaces');
  });

  test('a retried run is scored again while its earlier ranking is still computed', async () => {
    fakes.loseRankings = 1;
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments);
    const ids = (await fixture.attempts(run_id)).map(({ id }) => id);
    await fixture.expectRunStatus(run_id, 'scoring');
    expect(await retry(run_id, ids.slice(0, 1))).toMatchObject({ retried: 1, status: 'running' });
    await fixture.expectRunStatus(run_id, 'completed');
  });
});
