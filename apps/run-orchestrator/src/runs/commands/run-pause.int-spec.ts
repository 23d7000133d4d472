import { runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { claim, executeAttempt, finish, renew, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

describe('pausing a run', () => {
  const pack = fakes.add(publish(wordPack(4)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });
  // A test that fails halfway must not leave its executor to the next one.
  afterEach(() => {
    fakes.execute = async () => {};
  });

  const start = async (request = {}) => {
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments, request);
    return { run_id, ids: (await fixture.attempts(run_id)).map(({ id }) => id) };
  };
  const order = { workspace_id, actor: 'tests' };
  const pause = (run_id: string) => fixture.bus.call(runs.pause, { ...order, run_id });
  const resume = (run_id: string) => fixture.bus.call(runs.resume, { ...order, run_id });
  const end = (attempt_id: string) =>
    finish(fixture.bus, { attempt_id, delivery: 1, executor_id: 'e' }, resultOf({ last_sequence: 0 }));

  test('a paused run starts no attempt, lets the live one continue, and dispatches the others once resumed', async () => {
    const { run_id, ids } = await start();
    const [live = '', ...waiting] = ids;
    await claim(fixture.bus, live, 'e');
    expect(await pause(run_id)).toMatchObject({ status: 'paused', progress: { running: 1, queued: 3 } });
    for (const id of waiting) {
      expect(await claim(fixture.bus, id, 'e')).toEqual({ claimed: false, reason: 'run_paused' });
    }
    const lease = { attempt_id: live, delivery: 1, executor_id: 'e' };
    expect(await renew(fixture.bus, lease, 'running')).toBe('held');
    expect(await end(live)).toBe(true);
    await waitFor(async () => (await fixture.run(run_id)).progress.scored === 1);
    expect(await fixture.run(run_id)).toMatchObject({ status: 'paused', progress: { queued: 3 } });

    // Their first jobs were consumed while claims were refused: only new ones complete them.
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    expect(await resume(run_id)).toMatchObject({ status: 'running' });
    await fixture.expectRunStatus(run_id, 'completed');
    const moves = (await fixture.history(run_id)).filter(
      ({ event_type }) => event_type === 'run.state_changed',
    );
    expect(moves.map(({ payload }) => [payload.to, payload.reason])).toEqual([
      ['queued', undefined],
      ['running', undefined],
      ['paused', 'paused by tests'],
      ['running', 'resumed by tests'],
      ['scoring', undefined],
      ['completed', undefined],
    ]);
  });

  test('a paused run without queued attempts is scored and ends by itself', async () => {
    const { run_id, ids } = await start();
    for (const id of ids) await claim(fixture.bus, id, 'e');
    await pause(run_id);
    for (const id of ids) await end(id);
    await fixture.expectRunStatus(run_id, 'completed');
  });

  test('a paused run can be cancelled', async () => {
    const { run_id, ids } = await start();
    await claim(fixture.bus, ids[0] ?? '', 'e');
    await pause(run_id);
    await fixture.bus.call(runs.cancel, { ...order, run_id });
    expect(await fixture.run(run_id)).toMatchObject({ status: 'cancelled', progress: { queued: 0 } });
  });

  test('a pause is refused in every state but running, and resuming in every one but paused', async () => {
    const { run_id, ids } = await start();
    const conflict = { code: 'conflict' };
    await expect(pause(run_id)).rejects.toMatchObject({
      ...conflict,
      message: expect.stringMatching(/queued/),
    });
    await expect(resume(run_id)).rejects.toMatchObject(conflict);
    await claim(fixture.bus, ids[0] ?? '', 'e');
    await expect(resume(run_id)).rejects.toMatchObject({
      ...conflict,
      message: expect.stringMatching(/running/),
    });
    await pause(run_id);
    await expect(pause(run_id)).rejects.toMatchObject({
      ...conflict,
      message: expect.stringMatching(/paused/),
    });
    await fixture.bus.call(runs.cancel, { ...order, run_id });
    await expect(pause(run_id)).rejects.toMatchObject(conflict);
    await expect(resume(run_id)).rejects.toMatchObject(conflict);
    const elsewhere = { ...order, workspace_id: run_id, run_id };
    await expect(fixture.bus.call(runs.pause, elsewhere)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('concurrent requests to pause a run pause it once', async () => {
    const { run_id, ids } = await start();
    await claim(fixture.bus, ids[0] ?? '', 'e');
    const done = await Promise.allSettled(Array.from({ length: 6 }, () => pause(run_id)));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
