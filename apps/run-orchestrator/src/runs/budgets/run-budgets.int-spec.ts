import { ContractError, runBudgets, type StopWhen } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { BusBudget, newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { claim, executeAttempt, finish, resultOf } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, database } = fixture;
const CASES = 8;
const signal = new AbortController().signal;

const cancelled = resultOf({
  outcome: 'cancelled',
  finished_by: 'none',
  error: { code: 'budget', message: 'the budget of the run is used up', retryable: false },
  last_sequence: 0,
});

describe('a run with a budget of calls', () => {
  const pack = fakes.add(publish(wordPack(CASES)));
  let lane: Awaited<ReturnType<typeof fixture.scripted>>;

  beforeAll(async () => {
    lane = await fixture.scripted('lane');
  });
  beforeEach(() => {
    fakes.execute = async () => {};
  });

  const start = async (budget: StopWhen['budget']) =>
    (await fixture.createRun(pack.version.id, [lane], { stop_when: { budget }, seed: 1 })).id;
  const budgetOf = async (run_id: string) => (await fixture.run(run_id)).budget;
  /** Claims the next attempts of a run, each for an executor of its own. */
  const held = async (run_id: string, count: number) => {
    const attempts = (await fixture.attempts(run_id)).slice(0, count);
    return await Promise.all(
      attempts.map(async ({ id: attempt_id }, at) => {
        const executor_id = `executor-${at}`;
        const claimed = await claim(fixture.bus, attempt_id, executor_id);
        if (!claimed.claimed) throw new Error('not claimed');
        const { delivery } = claimed;
        const budget = new BusBudget(fixture.bus, { run_id, attempt_id, delivery }, { warn: () => {} });
        const lease = { attempt_id, delivery, executor_id };
        return { lease, budget, plan: claimed.plan };
      }),
    );
  };
  type Held = Awaited<ReturnType<typeof held>>[number];
  /** The state of a new call of so many tokens. */
  const stateOf = async (run_id: string, of: Held | undefined, tokens: number) => {
    const { attempt_id = '', delivery = 1 } = of?.lease ?? {};
    const request = { run_id, attempt_id, delivery, call_id: newId(), tokens, usd: 0 };
    return (await fixture.bus.call(runBudgets.reserve, request)).state;
  };
  /** As an executor ends an attempt whose call the budget refused. */
  const end = (lease: Held['lease']) => finish(fixture.bus, lease, cancelled);

  test('parallel calls of several executors never use more tokens or dollars than the budget', async () => {
    const call = fc.record({
      tokens: fc.integer({ min: 1, max: 400 }),
      usd: fc.integer({ min: 0, max: 400 }).map((thousandths) => thousandths / 1_000),
      share: fc.constantFrom(0, 0.3, 1),
      /** Turns of the event loop that the provider takes. */
      turns: fc.integer({ min: 0, max: 50 }),
    });
    const executors = fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), {
      minLength: 3,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(executors, async (callsOf) => {
        const limit = { tokens: 1_000, usd: 1 };
        const run_id = await start(limit);
        // The provider counts what every call uses.
        const used = { tokens: 0, usd: 0 };
        await Promise.all(
          (await held(run_id, callsOf.length)).map(async ({ budget, lease }, at) => {
            for (const { tokens, usd, share, turns } of callsOf[at] ?? []) {
              const reservation = await budget.reserve({ tokens, usd }, signal);
              if (reservation === undefined) break;
              const amount = { tokens: Math.floor(tokens * share), usd: usd * share };
              used.tokens += amount.tokens;
              used.usd += amount.usd;
              expect(used.tokens).toBeLessThanOrEqual(limit.tokens);
              expect(used.usd).toBeLessThanOrEqual(limit.usd + 1e-9);
              for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
              await reservation.settle(amount);
            }
            await end(lease);
          }),
        );
        const shown = await budgetOf(run_id);
        expect(shown?.tokens).toEqual({ limit: limit.tokens, spent: used.tokens, reserved: 0 });
        expect(shown?.usd).toMatchObject({ limit: limit.usd, reserved: 0 });
        expect(shown?.usd?.spent).toBeCloseTo(used.usd, 6);
      }),
      { numRuns: 5 },
    );
  });

  test('a call that the budget cannot cover ends the run as completed, with what it has', async () => {
    const run_id = await start({ tokens: 100 });
    const [first, second] = await held(run_id, 2);
    expect(first?.plan).toMatchObject({ run_budget: true });
    const reservation = await first?.budget.reserve({ tokens: 60, usd: 0 }, signal);
    await reservation?.settle({ tokens: 50, usd: 0 });
    if (first) await finish(fixture.bus, first.lease, resultOf({ last_sequence: 0 }));
    expect(await second?.budget.reserve({ tokens: 60, usd: 0 }, signal)).toBeUndefined();
    if (second) expect(await end(second.lease)).toBe(true);
    const run = await fixture.expectRunStatus(run_id, 'completed');
    expect(run).toMatchObject({
      stopped: 'budget',
      budget: { tokens: { limit: 100, spent: 50, reserved: 0 } },
      progress: { finished: 2, skipped: CASES - 2, by_outcome: { completed: 1, cancelled: 1 } },
    });
    const [done, refused, ...rest] = await fixture.attempts(run_id);
    expect(done).toMatchObject({ outcome: 'completed' });
    expect(refused).toMatchObject({ outcome: 'cancelled', error: { code: 'budget' }, delivery: 1 });
    expect(new Set(rest.map(({ state }) => state))).toEqual(new Set(['skipped']));
    const halted = (await fixture.history(run_id)).filter(
      ({ event_type }) => event_type === 'run.lane_halted',
    );
    expect(halted).toMatchObject([{ payload: { reason: 'budget', skipped: CASES - 2 } }]);
  });

  test('a run whose budget covers no call at all is completed and not failed', async () => {
    const run_id = await start({ usd: 0.000001 });
    const [first] = await held(run_id, 1);
    expect(await first?.budget.reserve({ tokens: 1, usd: 1 }, signal)).toBeUndefined();
    if (first) await end(first.lease);
    expect(await fixture.expectRunStatus(run_id, 'completed')).toMatchObject({ stopped: 'budget' });
  });

  test('a call waits while others hold what it needs, and is made once they used less', async () => {
    const run_id = await start({ tokens: 200 });
    const [first, second] = await held(run_id, 2);
    const reservation = await second?.budget.reserve({ tokens: 80, usd: 0 }, signal);
    expect(await stateOf(run_id, first, 180)).toBe('waiting');
    let isGranted = false;
    const waiting = first?.budget.reserve({ tokens: 180, usd: 0 }, signal).then((granted) => {
      isGranted = granted !== undefined;
    });
    await waitFor(async () => (await budgetOf(run_id))?.tokens?.reserved === 80);
    expect(isGranted).toBe(false);
    await reservation?.settle({ tokens: 20, usd: 0 });
    await waiting;
    expect(isGranted).toBe(true);
    expect((await budgetOf(run_id))?.tokens).toEqual({ limit: 200, spent: 20, reserved: 180 });
  });

  test('a small call of a later case does not overtake the call of an earlier case that waits', async () => {
    const run_id = await start({ tokens: 100 });
    const [first, second, third] = await held(run_id, 3);
    const reservation = await first?.budget.reserve({ tokens: 80, usd: 0 }, signal);
    expect(await stateOf(run_id, second, 80)).toBe('waiting');
    expect(await stateOf(run_id, third, 10)).toBe('waiting');
    await reservation?.settle({ tokens: 10, usd: 0 });
    if (first) await finish(fixture.bus, first.lease, resultOf({ last_sequence: 0 }));
    expect(await stateOf(run_id, third, 10)).toBe('granted');
    expect(await stateOf(run_id, third, 1)).toBe('waiting');
    expect(await stateOf(run_id, second, 80)).toBe('granted');
  });

  test('an earlier case keeps a call of the budget before its first one, and while that is under way', async () => {
    const run_id = await start({ tokens: 100 });
    const [first, second, third] = await held(run_id, 3);
    expect(await stateOf(run_id, third, 40)).toBe('waiting');
    expect(await stateOf(run_id, second, 40)).toBe('granted');
    expect(await stateOf(run_id, first, 40)).toBe('granted');
    for (const each of [first, second])
      if (each) await finish(fixture.bus, each.lease, resultOf({ last_sequence: 0 }));
    expect(await stateOf(run_id, third, 20)).toBe('granted');
  });

  test('what a lost executor has to call again is kept for it, though its calls are still reserved', async () => {
    const run_id = await start({ tokens: 100 });
    const [first, second] = await held(run_id, 2);
    expect(await stateOf(run_id, first, 30)).toBe('granted');
    expect(await stateOf(run_id, second, 30)).toBe('granted');
    expect(await stateOf(run_id, second, 30)).toBe('waiting');
    await database.query(`UPDATE runs.attempts SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      first?.lease.attempt_id,
    ]);
    await waitFor(async () => (await fixture.attempts(run_id))[0]?.state === 'queued');
    expect(await stateOf(run_id, second, 30)).toBe('waiting');
    await database.query('UPDATE runs.attempts SET not_before = now() WHERE id = $1', [
      first?.lease.attempt_id,
    ]);
    const [again] = await held(run_id, 1);
    const lease = { ...again?.lease, delivery: 2 } as Held['lease'];
    expect(await stateOf(run_id, again && { ...again, lease }, 30)).toBe('granted');
  });

  /** All attempts at once, each with its own number of calls; which of them the budget pays for as a whole. */
  const paid = async (
    budget: StopWhen['budget'],
    { order, calls, used }: { order: readonly number[]; calls: number; used: number },
  ) => {
    const run_id = await start(budget);
    const executors = await held(run_id, CASES);
    const whole: number[] = [];
    await Promise.all(
      order.map(async (at) => {
        const { budget: ofRun, lease } = executors[at] ?? (executors[0] as (typeof executors)[number]);
        for (let call = 0; call < calls; call += 1) {
          const reservation = await ofRun.reserve({ tokens: 10, usd: 0 }, signal);
          if (reservation === undefined) return await end(lease);
          await new Promise(setImmediate);
          await reservation.settle({ tokens: used, usd: 0 });
        }
        whole.push(at);
        return await finish(fixture.bus, lease, resultOf({ last_sequence: 0 }));
      }),
    );
    await fixture.expectRunStatus(run_id, 'completed');
    return { run_id, whole: whole.sort((a, b) => a - b) };
  };
  const range = (count: number) => Array.from({ length: count }, (_, at) => at);

  test('what a budget pays for is the beginning of the drawn order, whichever cases call first', async () => {
    const order = fc.shuffledSubarray(range(CASES), { minLength: CASES, maxLength: CASES });
    const reversed: [number[]] = [range(CASES).reverse()];
    await fc.assert(
      fc.asyncProperty(order, async (arrival) => {
        const { whole, run_id } = await paid({ tokens: 50 }, { order: arrival, calls: 1, used: 10 });
        expect(whole).toEqual(range(5));
        expect(await budgetOf(run_id)).toEqual({ tokens: { limit: 50, spent: 50, reserved: 0 } });
      }),
      { numRuns: 3, examples: [reversed] },
    );
  });

  test('a budget that several attempts share call by call pays for the first of them as a whole', async () => {
    const { whole } = await paid({ tokens: 200 }, { order: range(CASES), calls: 6, used: 10 });
    expect(whole.length).toBeGreaterThan(0);
    expect(whole).toEqual(range(whole.length));
  });

  test('an attempt whose executor is lost keeps nothing of the budget once no other has claimed it', async () => {
    const run_id = await start({ tokens: 100 });
    const [first, second] = await held(run_id, 2);
    const attempt_id = first?.lease.attempt_id;
    expect(await stateOf(run_id, second, 60)).toBe('waiting');
    await database.query(`UPDATE runs.attempts SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      attempt_id,
    ]);
    await waitFor(async () => (await fixture.attempts(run_id))[0]?.state === 'queued');
    expect(await stateOf(run_id, second, 60)).toBe('waiting');
    await database.query(
      `UPDATE runs.attempts SET not_before = now() - interval '31 s', nudged_at = now() - interval '31 s'
        WHERE id = $1`,
      [attempt_id],
    );
    expect(await stateOf(run_id, second, 60)).toBe('granted');
  });

  test('a refused call skips the cases after its own, and leaves those before it in the queue', async () => {
    const run_id = await start({ tokens: 100 });
    const [, , third] = (await fixture.attempts(run_id)).map(({ id }) => id);
    const claimed = await claim(fixture.bus, third ?? '', 'executor-2');
    if (!claimed.claimed) throw new Error('not claimed');
    const { delivery } = claimed;
    const of = { attempt_id: third ?? '', delivery };
    const budget = new BusBudget(fixture.bus, { run_id, ...of }, { warn: () => {} });
    expect(await budget.reserve({ tokens: 101, usd: 0 }, signal)).toBeUndefined();
    await end({ ...of, executor_id: 'executor-2' });
    const states = (await fixture.attempts(run_id)).map(({ state }) => state);
    expect(states.slice(0, 4)).toEqual(['queued', 'queued', 'finished', 'skipped']);
    for (const { lease } of await held(run_id, 2))
      await finish(fixture.bus, lease, resultOf({ last_sequence: 0 }));
    expect(await fixture.expectRunStatus(run_id, 'completed')).toMatchObject({
      stopped: 'budget',
      progress: { finished: 3, skipped: CASES - 3 },
    });
  });

  test('a call that used more than it reserved is counted in full, and once', async () => {
    const run_id = await start({ tokens: 100, usd: 1 });
    const [first] = await held(run_id, 1);
    const reservation = await first?.budget.reserve({ tokens: 10, usd: 0.1 }, signal);
    await reservation?.settle({ tokens: 300, usd: 2.5 });
    await reservation?.settle({ tokens: 300, usd: 2.5 });
    expect(await budgetOf(run_id)).toEqual({
      tokens: { limit: 100, spent: 300, reserved: 0 },
      usd: { limit: 1, spent: 2.5, reserved: 0 },
    });
    expect(await first?.budget.reserve({ tokens: 1, usd: 0 }, signal)).toBeUndefined();
  });

  test('the calls of an executor that is lost count as all that they reserved', async () => {
    const run_id = await start({ tokens: 100 });
    const [first] = await held(run_id, 1);
    await first?.budget.reserve({ tokens: 30, usd: 0 }, signal);
    await database.query(`UPDATE runs.attempts SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      first?.lease.attempt_id,
    ]);
    await waitFor(async () => (await budgetOf(run_id))?.tokens?.reserved === 0);
    expect((await budgetOf(run_id))?.tokens?.spent).toBe(30);
    await expect(first?.budget.reserve({ tokens: 1, usd: 0 }, signal)).rejects.toMatchObject({
      code: 'lease_lost',
    });
  });

  test('a repeated request reserves a call once', async () => {
    const run_id = await start({ tokens: 100 });
    const [first] = await held(run_id, 1);
    const { attempt_id = '', delivery = 1 } = first?.lease ?? {};
    const request = { run_id, attempt_id, delivery, call_id: newId(), tokens: 60, usd: 0 };
    for (const _ of [1, 2]) {
      expect(await fixture.bus.call(runBudgets.reserve, request)).toEqual({ state: 'granted' });
    }
    expect((await budgetOf(run_id))?.tokens?.reserved).toBe(60);
  });

  test('a reservation whose delivery ends without a report is counted in full', async () => {
    const run_id = await start({ tokens: 100 });
    const [first] = await held(run_id, 1);
    await first?.budget.reserve({ tokens: 40, usd: 0 }, signal);
    if (first) await finish(fixture.bus, first.lease, resultOf({ last_sequence: 0 }));
    expect((await budgetOf(run_id))?.tokens).toEqual({ limit: 100, spent: 40, reserved: 0 });
  });

  test('a run without such a budget reserves nothing', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const run_id = await start({ attempts: 2 });
    const run = await fixture.expectRunStatus(run_id, 'completed');
    expect(run.budget).toEqual({ attempts: { limit: 2, spent: 2 } });
    const [row] = await database.query<{ n: string }>(
      'SELECT count(*) AS n FROM runs.run_budgets WHERE run_id = $1',
      [run_id],
    );
    expect(row?.n).toBe('0');
  });

  test.each([{}, { usd: 0 }, { tokens: 0 }, { attempts: 0 }, { usd: -1 }, { tokens: 1.5 }])(
    'a budget of %j is refused before anything runs',
    async (budget) => {
      const refused: unknown = await start(budget).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ContractError);
      expect(refused).toMatchObject({ code: 'invalid_input' });
    },
  );
});
