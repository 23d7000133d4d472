import { attempts, busEvents, execution, runs, scoringJobs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database, workspaceId: workspace_id } = fixture;

describe('a dead letter', () => {
  const pack = fakes.add(publish(wordPack(2)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });
  beforeEach(() => {
    fakes.execute = async () => {};
  });

  async function start() {
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments);
    return { run_id, ids: (await fixture.attempts(run_id)).map(({ id }) => id) };
  }
  const publishDeadLetter = async (subject: string, content: object, code = 'internal') => {
    const received = { service: 'tests', subject, sequence: 1, deliveries: 3, code, content };
    await fixture.bus.publish(
      busEvents.deadLetter,
      { ...received, occurred_at: new Date().toISOString() },
      newId(),
    );
  };
  const show = (attempt_id: string) => fixture.bus.call(attempts.get, { workspace_id, attempt_id });
  const failure = { state: 'finished', outcome: 'infra_error', error: { code: 'job_failed' } };

  test('a dead letter of an attempt ends it as an infrastructure error; a retry runs it again', async () => {
    // The executor cannot even begin: what comes back from the queue is the bus's own word.
    fakes.execute = async () => {
      throw new TypeError('the executor has a bug');
    };
    const { run_id, ids } = await start();
    const failed = await fixture.expectRunStatus(run_id, 'failed');
    expect(failed.progress).toMatchObject({ finished: 2, scored: 2, by_outcome: { infra_error: 2 } });
    for (const id of ids) expect(await show(id)).toMatchObject({ ...failure, delivery: 0, deliveries: [] });

    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const order = { workspace_id, run_id, actor: 'tests', request: { only: 'infra' as const } };
    expect(await fixture.bus.call(runs.retry, order)).toMatchObject({ retried: 2 });
    expect(await fixture.expectRunStatus(run_id, 'completed')).toMatchObject({
      progress: { passed: 2, by_outcome: { completed: 2 } },
    });
  });

  test('a dead letter of an unavailable service ends nothing', async () => {
    const { run_id, ids } = await start();
    await publishDeadLetter(execution.execute.subject, { run_id, attempt_ids: ids }, 'unavailable');
    // Published after it and received in order: when this one is handled, so is the first.
    const other = await start();
    await publishDeadLetter(execution.execute.subject, { run_id: other.run_id, attempt_ids: other.ids });
    await fixture.expectRunStatus(other.run_id, 'failed');
    expect(await fixture.run(run_id)).toMatchObject({ status: 'queued', progress: { queued: 2 } });
  });

  test('a dead letter of a running attempt changes nothing', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const { run_id, ids } = await start();
    await fixture.expectRunStatus(run_id, 'completed');
    await publishDeadLetter(execution.execute.subject, { run_id, attempt_ids: ids });
    const other = await start();
    await fixture.expectRunStatus(other.run_id, 'completed');
    expect(await fixture.run(run_id)).toMatchObject({ progress: { by_outcome: { completed: 2 } } });
  });

  test('a score whose jobs all became dead letters lets the run end without it', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    fakes.loseScores = 100;
    const { run_id, ids } = await start();
    await waitFor(async () => (await fixture.run(run_id)).progress.finished === 2);
    const content = { workspace_id, run_id, attempt_ids: ids };
    await publishDeadLetter(scoringJobs.scoreAttempts.subject, content);
    await waitFor(() => fixture.logged.some((line) => line.includes('dead letter received')));
    expect(await fixture.run(run_id)).toMatchObject({ status: 'running', progress: { scored: 0 } });
    await database.query('UPDATE runs.attempts SET score_nudge = 3 WHERE run_id = $1', [run_id]);
    await publishDeadLetter(scoringJobs.scoreAttempts.subject, content);
    expect(await fixture.expectRunStatus(run_id, 'failed')).toMatchObject({
      progress: { scored: 2, passed: 0 },
    });
    for (const id of ids) expect(await show(id)).toMatchObject({ validity: 'invalid', is_scored: true });
    fakes.loseScores = 0;
  });

  test('a dead letter of a score with unreadable evidence lets the run end without it after two hours', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    fakes.loseScores = 100;
    const { run_id, ids } = await start();
    await waitFor(async () => (await fixture.run(run_id)).progress.finished === 2);
    const content = { workspace_id, run_id, attempt_ids: ids };
    const requestCount = (times: number) =>
      database.query('UPDATE runs.attempts SET score_nudge = $2 WHERE run_id = $1', [run_id, times]);
    await requestCount(11);
    const before = fixture.logged.length;
    await publishDeadLetter(scoringJobs.scoreAttempts.subject, content, 'unavailable');
    await waitFor(() => fixture.logged.slice(before).some((line) => line.includes('dead letter received')));
    expect(await fixture.run(run_id)).toMatchObject({ status: 'running', progress: { scored: 0 } });
    await requestCount(12);
    await publishDeadLetter(scoringJobs.scoreAttempts.subject, content, 'unavailable');
    expect(await fixture.expectRunStatus(run_id, 'failed')).toMatchObject({
      progress: { scored: 2, passed: 0 },
    });
    for (const id of ids) expect(await show(id)).toMatchObject({ validity: 'invalid', is_scored: true });
    fakes.loseScores = 0;
  });
});
