import type { Bus } from '@agentclash/bus';
import { drawCaseOrder } from '@agentclash/challengepack';
import { ContractError, type RunRequest, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, executeAttempt, finish, renew, resultOf, retryable } from '../../testing/executor.js';
import type { DispatchedJob } from '../../testing/fake-services.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const CASES = 60;

describe('a run with stop_when', () => {
  const pack = fakes.add(publish(wordPack(CASES)));
  let lanes: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    lanes = [await fixture.scripted('good'), await fixture.scripted('bad'), await fixture.scripted('worse')];
  });
  beforeEach(() => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    fakes.judge = () => 1;
    fakes.lacksEvidence = () => false;
    fakes.beforeDecision = () => {};
  });

  const start = async (request: Partial<RunRequest>, count = 2) =>
    await fixture.createRun(pack.version.id, lanes.slice(0, count), request);
  const decided = { goal: 'ranking', metric: 'overall', alpha: 0.05, margin: 0 } as const;
  const agentsOf = async (run_id: string) =>
    (await fixture.bus.call(runs.agents, { workspace_id, run_id })).items;
  const refusedBy = async (request: Partial<RunRequest>, count = 2) => {
    const error: unknown = await start(request, count).catch((caught: unknown) => caught);
    if (!(error instanceof ContractError)) throw new Error('the run was created');
    const [problem] = error.details.errors as { field: string; message: string }[];
    return { code: error.code, field: problem?.field, message: problem?.message };
  };
  const retry = async (run_id: string, ...only: (string | undefined)[]) =>
    await fixture.bus.call(runs.retry, {
      ...{ workspace_id, run_id, actor: 'tests' },
      request: { only: only.map((id) => id ?? '') },
    });
  const noMoreBackoff = async (run_id: string) =>
    await fixture.database.query(
      `UPDATE runs.attempts SET not_before = now() WHERE run_id = $1 AND not_before > now()`,
      [run_id],
    );
  /** Works on so many attempts and leaves the others, so that only a verdict can end the run. */
  const executeSome = (count: number) => {
    let left = count;
    return async (job: DispatchedJob, bus: Bus) => {
      left -= 1;
      if (left >= 0) await executeAttempt(job, bus);
    };
  };
  /** Only the first lane is right. */
  const firstIsBest = async (run_id: string) => {
    const [first] = await agentsOf(run_id);
    fakes.judge = ({ run_agent_id }) => (run_agent_id === first?.id ? 1 : 0);
  };

  test('a race ends when its pair is decided, and the attempts that are not needed are skipped', async () => {
    fakes.execute = async () => {};
    const { id } = await start({ stop_when: { decided }, seed: 7, max_concurrency: 4 });
    await firstIsBest(id);
    const order = (await fixture.attempts(id)).map(({ case_key }) => case_key);
    const keys = Array.from({ length: CASES }, (_, at) => `case-${at + 1}`);
    expect(order.filter((_, at) => at % 2 === 0)).toEqual(drawCaseOrder(7, keys));
    fakes.execute = executeSome(CASES);
    for (const job of fakes.jobs.filter(({ run_id }) => run_id === id))
      await executeAttempt(job, fixture.bus);
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run).toMatchObject({ stopped: 'decided', seed: 7, race: { pairs: [{ verdict: 'better' }] } });
    const { total, finished, skipped = 0 } = run.progress;
    expect(total).toBe(2 * CASES);
    expect(finished + skipped).toBe(total);
    expect(skipped).toBeGreaterThan(CASES);
    const [pair] = run.race?.pairs ?? [];
    expect(pair?.cases).toBeLessThan(CASES / 2);
    const states = new Set((await fixture.attempts(id)).map(({ state }) => state));
    expect(states).toEqual(new Set(['finished', 'skipped']));
  });

  test('lanes that differ in no case race to the last one', async () => {
    const { id } = await start({ stop_when: { decided } });
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run.stopped).toBeUndefined();
    expect(fakes.stoppedRankings).not.toContain(id);
    expect(run.progress).toMatchObject({ total: 2 * CASES, finished: 2 * CASES });
    expect(run.race).toMatchObject({ is_decided: true, pairs: [{ verdict: 'exact', difference: 0 }] });
  });

  test('a lane that is decided leaves the race while the others continue', async () => {
    fakes.execute = async () => {};
    const { id } = await start({ stop_when: { decided }, seed: 1, max_concurrency: 6 }, 3);
    const [good, alike, worse] = await agentsOf(id);
    // The first two are equal, the third one fails everywhere.
    fakes.judge = ({ run_agent_id }) => (run_agent_id === worse?.id ? 0 : 1);
    fakes.execute = executeSome(2 * CASES + 40);
    for (const job of fakes.jobs.filter(({ run_id }) => run_id === id))
      await executeAttempt(job, fixture.bus);
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run.stopped).toBe('decided');
    const progress = new Map((await agentsOf(id)).map((agent) => [agent.id, agent.progress]));
    expect(progress.get(worse?.id ?? '')?.skipped).toBeGreaterThan(CASES / 4);
    for (const lane of [good, alike])
      expect(progress.get(lane?.id ?? '')).toMatchObject({ finished: CASES, total: CASES });
    expect(fakes.stoppedRankings).toContain(id);
    const halted = (await fixture.history(id)).filter(({ event_type }) => event_type === 'run.lane_halted');
    expect(halted).toMatchObject([{ payload: { run_agent_id: worse?.id, reason: 'eliminated' } }]);
  });

  test('a race was stopped by its verdicts where these cancelled an attempt of one lane, though the others went to the last case', async () => {
    fakes.execute = async () => {};
    const { id } = await start({ stop_when: { decided }, seed: 4 }, 3);
    const [, , worse] = await agentsOf(id);
    fakes.judge = ({ run_agent_id }) => (run_agent_id === worse?.id ? 0 : 1);
    const last = (await fixture.attempts(id)).at(-1)?.id ?? '';
    expect((await claim(fixture.bus, last, 'slow')).claimed).toBe(true);
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    for (const job of fakes.jobs.filter(({ run_id }) => run_id === id))
      await executeAttempt(job, fixture.bus);
    const lease = { attempt_id: last, delivery: 1, executor_id: 'slow' };
    await waitFor(async () => (await renew(fixture.bus, lease, 'running')) === 'cancelled');
    expect(await finish(fixture.bus, lease, { ...retryable, last_sequence: 0 })).toBe(true);
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run).toMatchObject({ stopped: 'decided', race: { is_decided: true } });
    const [end] = (await fixture.history(id)).filter(({ event_type }) => event_type === 'run.completed');
    expect(end).toMatchObject({ payload: { stopped: 'decided' } });
  });

  test('an attempt at work when the race is decided is cancelled, and counts neither as evidence nor as missing', async () => {
    fakes.execute = async () => {};
    const { id } = await start({ stop_when: { decided }, seed: 3 });
    await firstIsBest(id);
    const attempts = await fixture.attempts(id);
    const late = attempts.at(-1)?.id ?? '';
    const claimed = await claim(fixture.bus, late, 'slow');
    expect(claimed.claimed).toBe(true);
    for (const { id: attempt_id } of attempts.slice(0, CASES))
      await executeAttempt({ attempt_id }, fixture.bus, resultOf({ cost_usd: 0.25 }));
    const lease = { attempt_id: late, delivery: 1, executor_id: 'slow' };
    await waitFor(async () => (await renew(fixture.bus, lease, 'running')) === 'cancelled');
    expect(await finish(fixture.bus, lease, { ...retryable, last_sequence: 0, model_call_count: 0 })).toBe(
      true,
    );
    const run = await fixture.expectRunStatus(id, 'completed');
    expect((await fixture.attempts(id)).at(-1)).toMatchObject({ state: 'finished', outcome: 'cancelled' });
    expect(run.race?.pairs[0]).toMatchObject({ missing: 0 });
    // The cost of a skipped attempt is the mean of those that ended by themselves, by their latest delivery.
    const expectCosts = async () => {
      const lanesNow = await agentsOf(id);
      for (const { progress, tally } of lanesNow) {
        const { cancelled = 0 } = progress.by_outcome;
        const ended = progress.finished - cancelled;
        expect(tally?.known_costs).toEqual({ attempts: ended, usd: 0.25 * ended });
      }
      expect(lanesNow.map(({ tally }) => tally?.not_run ?? 0).sort()).toEqual([0, 1]);
    };
    await expectCosts();
    const retried = attempts[0]?.id ?? '';
    fakes.execute = (job, bus) => executeAttempt(job, bus, resultOf({ cost_usd: 0.25 }));
    await retry(id, retried);
    await waitFor(async () => (await fixture.attempts(id))[0]?.state !== 'queued');
    await fixture.expectRunStatus(id, 'completed');
    const ofRetried = `SELECT delivery FROM runs.deliveries WHERE attempt_id = '${retried}'`;
    expect(await fixture.database.query(ofRetried)).toHaveLength(2);
    await expectCosts();
  });

  test('a case without a usable attempt leaves the population', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const failing = 'case-5';
    fakes.judge = ({ case_key }) => (case_key === failing ? null : 1);
    const { id } = await start({ stop_when: { decided } });
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run.race?.pairs[0]).toMatchObject({ missing: 1, population: CASES - 1, verdict: 'exact' });
  });

  test('a failure for want of evidence is no failure in a race, though the attempt has an overall score', async () => {
    fakes.lacksEvidence = ({ case_key }) => case_key === 'case-5';
    const { id } = await start({ stop_when: { decided: { ...decided, metric: 'pass' } } });
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run.race?.pairs[0]).toMatchObject({ missing: 1, population: CASES - 1, verdict: 'exact' });
  });

  test('a race that scoring cannot decide on runs to its last case', async () => {
    fakes.beforeDecision = () => {
      throw new ContractError('invalid_input', 'no decision');
    };
    const { id } = await start({ stop_when: { decided } });
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run.race).toBeUndefined();
    expect(run.progress.finished).toBe(2 * CASES);
  });

  test('a race whose decision was lost with scoring is decided later', async () => {
    let failures = 3;
    fakes.beforeDecision = () => {
      failures -= 1;
      if (failures >= 0) throw new ContractError('unavailable', 'scoring is unavailable');
    };
    const { id } = await start({ stop_when: { decided } });
    await fixture.database.query(`UPDATE runs.runs SET race_due_at = race_due_at - interval '1 minute'`);
    const again = async () => {
      await fixture.database.query(
        `UPDATE runs.runs SET race_due_at = now() - interval '1 minute' WHERE race_due_at IS NOT NULL`,
      );
      return (await fixture.run(id)).status === 'completed';
    };
    await waitFor(again);
    expect((await fixture.run(id)).race).toMatchObject({ is_decided: true });
  });

  test('an orchestrator that stops waits for no decision, and the next one decides', async () => {
    let reply = () => {};
    const held = new Promise<void>((resolve) => {
      reply = resolve;
    });
    const requested = new Promise<void>((resolve) => {
      fakes.beforeDecision = async () => {
        resolve();
        await held;
      };
    });
    const { id } = await start({ stop_when: { decided } });
    await requested;
    await fixture.stopOrchestrator();
    fakes.beforeDecision = () => {};
    reply();
    await fixture.startOrchestrator();
    await fixture.database.query(
      `UPDATE runs.runs SET race_due_at = now() - interval '1 minute' WHERE race_due_at IS NOT NULL`,
    );
    await fixture.expectRunStatus(id, 'completed');
    expect((await fixture.run(id)).race).toMatchObject({ is_decided: true });
  });

  test('a budget of attempts ends the run with what it has', async () => {
    const { id } = await start({ stop_when: { budget: { attempts: 10 } }, seed: 2 });
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run).toMatchObject({ stopped: 'budget', progress: { finished: 10, skipped: 2 * CASES - 10 } });
  });

  test('a pair that the budget left open is undecided once the run has ended', async () => {
    const { id } = await start({ stop_when: { decided, budget: { attempts: 4 } } });
    const { race, stopped } = await fixture.expectRunStatus(id, 'completed');
    expect(stopped).toBe('budget');
    expect(race).toMatchObject({ is_decided: false, pairs: [{ verdict: 'undecided' }] });
  });

  test('an attempt that is delivered again after the budget of attempts is used up ends, and so does its run', async () => {
    let failures = 1;
    fakes.execute = async (job, bus) => {
      failures -= 1;
      await executeAttempt(job, bus, failures >= 0 ? retryable : undefined);
      await noMoreBackoff(job.run_id);
    };
    const { id } = await start({ stop_when: { budget: { attempts: 3 } }, max_concurrency: 1 });
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run).toMatchObject({
      stopped: 'budget',
      progress: { finished: 3, skipped: 2 * CASES - 3, by_outcome: { completed: 3 } },
    });
    const deliveries = (await fixture.attempts(id)).map(({ delivery }) => delivery);
    expect(deliveries.slice(0, 4)).toEqual([2, 1, 1, 0]);
  });

  test('a retry of a run that its budget of attempts stopped runs the chosen attempts again and no others', async () => {
    const { id } = await start({ stop_when: { budget: { attempts: 3 } } });
    const before = await fixture.expectRunStatus(id, 'completed');
    const [attempt] = await fixture.attempts(id);
    expect(await retry(id, attempt?.id)).toMatchObject({ retried: 1, status: 'running' });
    const after = await fixture.expectRunStatus(id, 'completed');
    expect(after).toMatchObject({ stopped: 'budget', progress: before.progress });
    expect((await fixture.attempts(id))[0]).toMatchObject({ state: 'finished', delivery: 2 });
  });

  test('a race that is cancelled during a retry is decided once and not again', async () => {
    const { id } = await start({ stop_when: { decided } });
    await fixture.expectRunStatus(id, 'completed');
    const [first, second] = await fixture.attempts(id);
    fakes.execute = async (job, bus) => {
      if (job.attempt_id === second?.id) await executeAttempt(job, bus);
    };
    await retry(id, first?.id, second?.id);
    await waitFor(async () => (await fixture.attempts(id))[1]?.state === 'finished');
    await fixture.bus.call(runs.cancel, { workspace_id, run_id: id, actor: 'tests' });
    const isDue = async () => {
      await fixture.database.query(
        `UPDATE runs.runs SET race_due_at = now() - interval '1 minute' WHERE race_due_at IS NOT NULL`,
      );
      const [row] = await fixture.database.query<{ due: Date | null; unscored: number }>(
        'SELECT race_due_at AS due, unscored FROM runs.runs WHERE id = $1',
        [id],
      );
      return row?.unscored !== 0 || row.due !== null;
    };
    // Sooner than a lost request for a score is repeated.
    await waitFor(async () => !(await isDue()), { timeoutMs: 20_000 });
  });

  test('the verdicts after a retry are of the evidence that is left, though it is less than before', async () => {
    const { id } = await start({ stop_when: { decided } });
    const before = await fixture.expectRunStatus(id, 'completed');
    expect(before.race?.pairs).toMatchObject([{ cases: CASES }]);
    const [first, second] = await fixture.attempts(id);
    fakes.execute = async (job, bus) => {
      if (job.attempt_id === second?.id) await executeAttempt(job, bus);
    };
    await retry(id, first?.id, second?.id);
    // The first case is open for one lane, so that nothing is evidence.
    await waitFor(async () => (await fixture.run(id)).race?.pairs[0]?.cases === 0);
    await executeAttempt({ attempt_id: first?.id ?? '' }, fixture.bus);
    const after = await fixture.expectRunStatus(id, 'completed');
    expect(after.race).toEqual(before.race);
  });

  test('a retry of a decided race runs the chosen attempts again and decides again', async () => {
    fakes.execute = async () => {};
    const { id } = await start({ stop_when: { decided }, seed: 9, max_concurrency: 4 });
    await firstIsBest(id);
    fakes.execute = executeSome(CASES);
    for (const job of fakes.jobs.filter(({ run_id }) => run_id === id))
      await executeAttempt(job, fixture.bus);
    const before = await fixture.expectRunStatus(id, 'completed');
    const [attempt] = await fixture.attempts(id);
    await retry(id, attempt?.id);
    const after = await fixture.expectRunStatus(id, 'completed');
    expect(after.race?.pairs).toEqual(before.race?.pairs);
    expect(after.progress.skipped).toBe(before.progress.skipped);
  });

  test('a decided race whose retry leaves its pair open was not stopped by a decision any more', async () => {
    const { id } = await start({ stop_when: { decided }, max_concurrency: 4 });
    await firstIsBest(id);
    const before = await fixture.expectRunStatus(id, 'completed');
    expect(before).toMatchObject({ stopped: 'decided', race: { is_decided: true } });
    fakes.judge = () => 1;
    const finished = (await fixture.attempts(id)).filter(({ outcome }) => outcome === 'completed');
    await retry(id, ...finished.map((attempt) => attempt.id));
    const after = await fixture.expectRunStatus(id, 'completed');
    expect(after.race).toMatchObject({ is_decided: false, pairs: [{ verdict: 'undecided' }] });
    expect(after.stopped ?? null).toBeNull();
    expect(after.progress.skipped).toBe(before.progress.skipped);
  });

  test('a ranking of one lane is refused before anything runs', async () => {
    const refused = await refusedBy({ stop_when: { decided } }, 1);
    expect(refused).toMatchObject({ code: 'invalid_input', field: 'stop_when.decided.goal' });
  });

  test('a metric that the pack never grades is refused before anything runs', async () => {
    const text = wordPack(2, { slug: 'ungraded' }).replace(', pass_threshold: 1', '');
    const ungraded = fakes.add(publish(text));
    const request = { stop_when: { decided: { ...decided, metric: 'pass' as const } } };
    await expect(fixture.createRun(ungraded.version.id, lanes.slice(0, 2), request)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('stop_when.decided.metric'),
    });
  });

  test('a baseline of another version, or one that is unknown, is refused', async () => {
    const other = fakes.add(publish(wordPack(3, { slug: 'others' })));
    const foreign = await fixture.createRun(other.version.id, lanes.slice(0, 1));
    await fixture.expectRunStatus(foreign.id, 'completed');
    const [agent] = await agentsOf(foreign.id);
    const goal = { ...decided, goal: 'baseline' as const };
    expect(await refusedBy({ stop_when: { decided: { ...goal, baseline: agent?.id } } })).toMatchObject({
      field: 'stop_when.decided.baseline',
    });
    const field = 'stop_when.decided.baseline';
    const unknown = { ...goal, baseline: workspace_id };
    expect(await refusedBy({ stop_when: { decided: unknown } })).toEqual({
      ...{ code: 'invalid_input', field },
      message: expect.stringContaining('agentclash run agents RUN'),
    });
    const aRun = { ...goal, baseline: foreign.id };
    expect(await refusedBy({ stop_when: { decided: aRun } })).toEqual({
      ...{ code: 'invalid_input', field },
      message: `is a run: name the id of one of its agents, ${agent?.name} (${agent?.id})`,
    });
  });

  test('each lane races against a baseline of a finished run', async () => {
    fakes.judge = () => 0;
    const earlier = await start({}, 1);
    await fixture.expectRunStatus(earlier.id, 'completed');
    const [agent] = await agentsOf(earlier.id);
    fakes.judge = () => 1;
    fakes.execute = executeSome(CASES - 10);
    const goal = { ...decided, goal: 'baseline' as const, baseline: agent?.id };
    const { id } = await start({ stop_when: { decided: goal }, max_concurrency: 2 }, 1);
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run).toMatchObject({ stopped: 'decided', race: { pairs: [{ b: agent?.id, verdict: 'better' }] } });
  });
});
