import { type RunRequest, runBudgets, runs, type StopWhen } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { BusBudget, newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, executeAttempt, finish, renew, resultOf, retryable } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const CASES = 60;
const signal = new AbortController().signal;
const decided = { goal: 'ranking', metric: 'overall', alpha: 0.05, margin: 0 } as const;

/** As an executor ends an attempt whose call the budget refused. */
const refused = resultOf({
  outcome: 'cancelled',
  finished_by: 'none',
  error: { code: 'budget', message: 'the budget of the run is used up', retryable: false },
  last_sequence: 0,
});

describe('a retry of a run that was stopped', () => {
  const small = fakes.add(publish(wordPack(3, { slug: 'few-words' })));
  const pack = fakes.add(publish(wordPack(CASES)));
  let lanes: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    lanes = [await fixture.scripted('good'), await fixture.scripted('bad')];
  });
  beforeEach(() => {
    fakes.execute = async () => {};
    fakes.judge = () => 1;
  });

  const start = async (budget: StopWhen['budget']) =>
    (await fixture.createRun(small.version.id, lanes.slice(0, 1), { stop_when: { budget }, seed: 1 })).id;
  const race = async (request: Partial<RunRequest>) =>
    await fixture.createRun(pack.version.id, lanes, request);
  const agentsOf = async (run_id: string) =>
    (await fixture.bus.call(runs.agents, { workspace_id, run_id })).items;
  /** Only the first lane is right. */
  const firstIsBest = async (run_id: string) => {
    const [first] = await agentsOf(run_id);
    fakes.judge = ({ run_agent_id }) => (run_agent_id === first?.id ? 1 : 0);
  };
  const retry = async (run_id: string, only: 'failed' | string[]) =>
    await fixture.bus.call(runs.retry, { workspace_id, run_id, actor: 'tests', request: { only } });
  /** Claims the next attempts of a run, each for an executor of its own. */
  const held = async (run_id: string, count: number, from = 0) => {
    const attempts = (await fixture.attempts(run_id)).slice(from, from + count);
    return await Promise.all(
      attempts.map(async ({ id: attempt_id }, at) => {
        const executor_id = `executor-${at}`;
        const claimed = await claim(fixture.bus, attempt_id, executor_id);
        if (!claimed.claimed) throw new Error('not claimed');
        const { delivery } = claimed;
        const budget = new BusBudget(fixture.bus, { run_id, attempt_id, delivery }, { warn: () => {} });
        const lease = { attempt_id, delivery, executor_id };
        return { lease, budget };
      }),
    );
  };
  type Held = Awaited<ReturnType<typeof held>>[number];
  const end = (lease: Held['lease']) => finish(fixture.bus, lease, refused);

  /** A call of an attempt that then ends by itself. */
  const useUp = async (of: Held | undefined, call: { bound: number; used: number }) => {
    const reservation = await of?.budget.reserve({ tokens: call.bound, usd: 0 }, signal);
    await reservation?.settle({ tokens: call.used, usd: 0 });
    if (of) await finish(fixture.bus, of.lease, resultOf({ last_sequence: 0 }));
  };

  test('a retry that the rest of the budget may not cover is refused, and keeps the results', async () => {
    const run_id = await start({ tokens: 100 });
    const [first, second] = await held(run_id, 2);
    await useUp(first, { bound: 70, used: 60 });
    expect(await second?.budget.reserve({ tokens: 70, usd: 0 }, signal)).toBeUndefined();
    if (second) await end(second.lease);
    const before = await fixture.expectRunStatus(run_id, 'completed');
    const history = await fixture.history(run_id);
    for (const each of [first, second]) {
      await expect(retry(run_id, [each?.lease.attempt_id ?? ''])).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/^40 of 100 tokens .* 1 attempt may use 70: .* larger budget\.$/),
        details: { field: 'stop_when.budget.tokens', limit: 100, left: 40, expected: 70, attempts: 1 },
      });
    }
    expect(await fixture.run(run_id)).toEqual(before);
    expect(await fixture.history(run_id)).toEqual(history);
  });

  test('a retry of failed attempts leaves out those that the budget cancelled', async () => {
    const run_id = await start({ tokens: 1_000 });
    const [first, second] = await held(run_id, 2);
    await useUp(first, { bound: 10, used: 10 });
    expect(await second?.budget.reserve({ tokens: 1_001, usd: 0 }, signal)).toBeUndefined();
    if (second) await end(second.lease);
    await fixture.expectRunStatus(run_id, 'completed');
    await expect(retry(run_id, 'failed')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/nothing to retry/),
    });
  });

  test('attempts that are retried after the end of the budget have what is left of it, and share it', async () => {
    const run_id = await start({ tokens: 100 });
    const [first, second] = await held(run_id, 2);
    await useUp(first, { bound: 30, used: 20 });
    await useUp(second, { bound: 30, used: 20 });
    for (const { lease } of await held(run_id, 1, 2))
      await finish(fixture.bus, lease, resultOf({ last_sequence: 0 }));
    await fixture.expectRunStatus(run_id, 'completed');
    const [one = '', two = '', three = ''] = (await fixture.attempts(run_id)).map(({ id }) => id);
    expect(await retry(run_id, [one, two])).toMatchObject({ retried: 2 });
    await expect(retry(run_id, [three])).rejects.toMatchObject({
      details: { left: 60, expected: 70, attempts: 3 },
    });
    const [again] = await held(run_id, 1);
    expect(await again?.budget.reserve({ tokens: 61, usd: 0 }, signal)).toBeUndefined();
    expect(await again?.budget.reserve({ tokens: 60, usd: 0 }, signal)).toBeDefined();
  });

  test('a decided race whose retry leaves its pair open was stopped by the budget where that refused a call', async () => {
    const stop_when = { decided, budget: { tokens: 1_000 } };
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const { id } = await race({ stop_when, max_concurrency: 4 });
    await firstIsBest(id);
    await fixture.expectRunStatus(id, 'completed');
    fakes.judge = () => 1;
    const [first, ...others] = (await fixture.attempts(id)).filter(({ outcome }) => outcome === 'completed');
    fakes.execute = async (job, bus) => {
      if (job.attempt_id !== first?.id) await executeAttempt(job, bus);
    };
    await retry(id, [first?.id ?? '', ...others.map((attempt) => attempt.id)]);
    const attempt_id = first?.id ?? '';
    const claimed = await claim(fixture.bus, attempt_id, 'refused');
    if (!claimed.claimed) throw new Error('not claimed');
    const { delivery } = claimed;
    const call = { run_id: id, attempt_id, delivery, call_id: newId(), tokens: 1_001, usd: 0 };
    expect(await fixture.bus.call(runBudgets.reserve, call)).toEqual({ state: 'exhausted' });
    const lease = { attempt_id, delivery, executor_id: 'refused' };
    await finish(fixture.bus, lease, refused);
    const run = await fixture.expectRunStatus(id, 'completed');
    expect(run).toMatchObject({ stopped: 'budget', race: { is_decided: false } });
  });

  test('a retry of failed attempts leaves out those that a verdict cancelled, though they may be named', async () => {
    fakes.execute = async () => {};
    const { id } = await race({ stop_when: { decided }, seed: 3 });
    fakes.judge = () => 1;
    const attempts = await fixture.attempts(id);
    const last = attempts.at(-1)?.id ?? '';
    expect((await claim(fixture.bus, last, 'slow')).claimed).toBe(true);
    const bad = (await agentsOf(id)).at(-1)?.id;
    const failed = attempts.find(({ run_agent_id }) => run_agent_id === bad)?.id;
    fakes.judge = ({ run_agent_id }) => (run_agent_id === bad ? 0 : 1);
    for (const { id: attempt_id } of attempts.slice(0, CASES))
      await executeAttempt({ attempt_id }, fixture.bus);
    const lease = { attempt_id: last, delivery: 1, executor_id: 'slow' };
    await waitFor(async () => (await renew(fixture.bus, lease, 'running')) === 'cancelled');
    await finish(fixture.bus, lease, { ...retryable, last_sequence: 0, outcome: 'cancelled', error: null });
    await fixture.expectRunStatus(id, 'completed');
    expect(failed).toBeDefined();
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    await retry(id, 'failed');
    await fixture.expectRunStatus(id, 'completed');
    const byId = async (of: string | undefined) =>
      (await fixture.attempts(id)).find((attempt) => attempt.id === of);
    expect(await byId(failed)).toMatchObject({ delivery: 2, outcome: 'completed' });
    expect(await byId(last)).toMatchObject({ delivery: 1, outcome: 'cancelled' });
    await retry(id, [last]);
    await fixture.expectRunStatus(id, 'completed');
    expect(await byId(last)).toMatchObject({ delivery: 2, outcome: 'completed' });
  });
});
