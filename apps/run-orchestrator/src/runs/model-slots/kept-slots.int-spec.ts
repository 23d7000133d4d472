import { setTimeout as delay } from 'node:timers/promises';
import { Bus, BusConnection } from '@agentclash/bus';
import { modelSlotEvents, providerAccounts } from '@agentclash/contracts';
import type { SlotOutcome } from '@agentclash/domain';
import { BusSlots, newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const LEASE_MS = 8_000;
const fixture = await openOrchestrator({ SLOT_LEASE_MS: String(LEASE_MS) });

/** Processes that call models, each with a connection of its own. */
const processes: { connection: BusConnection; slots: BusSlots }[] = [];

async function startProcess(): Promise<BusSlots> {
  const connection = await BusConnection.open({ servers: [fixture.natsUrl], name: 'sandbox-executor' });
  const slots = new BusSlots(new Bus(connection), `process-${newId()}`);
  processes.push({ connection, slots });
  return slots;
}

const { signal } = new AbortController();

interface Row {
  id: string;
  held_since: string | null;
}

async function rowsOf(account: string): Promise<Row[]> {
  return await fixture.database.query<Row>(
    'SELECT id, held_since FROM runs.model_slots WHERE account_id = $1 AND lease_until > now()',
    [account],
  );
}

async function accountWith(maxConcurrency: number): Promise<string> {
  const { id } = await fixture.bus.call(providerAccounts.create, {
    workspace_id: fixture.workspaceId,
    actor: 'tests',
    spec: {
      name: newId(),
      provider_key: 'openai',
      credential_reference: 'workspace-secret://KEY',
      limits: { max_concurrency: maxConcurrency },
    },
  });
  return id;
}

describe('slots that processes keep between calls', () => {
  let first: BusSlots;
  let second: BusSlots;
  beforeAll(async () => {
    [first, second] = [await startProcess(), await startProcess()];
  });
  afterAll(async () => {
    for (const { slots, connection } of processes) {
      slots.onApplicationShutdown();
      await connection.close();
    }
  });

  test('a run that calls again without contention has the slot of its call before, and releases it when it is idle', async () => {
    const accountId = await accountWith(4);
    const call = { accountId, runId: newId(), signal };
    (await first.acquire(call)).release('success');
    const before = await rowsOf(accountId);
    (await first.acquire(call)).release('success');
    expect(await rowsOf(accountId)).toEqual(before);
    expect(before).toHaveLength(1);
    await waitFor(async () => (await rowsOf(accountId)).length === 0);
  });

  test('a call that failed leaves no slot behind', async () => {
    const accountId = await accountWith(4);
    (await first.acquire({ accountId, runId: newId(), signal })).release('failed');
    await waitFor(async () => (await rowsOf(accountId)).length === 0, { timeoutMs: 1_500 });
  });

  test('however calls of several processes and runs interleave, they never exceed the limit of the account', async () => {
    const outcome = fc.constantFrom<SlotOutcome>('success', 'success', 'success', 'failed');
    const call = fc.record({
      process: fc.nat(1),
      run: fc.nat(2),
      startMs: fc.nat(80),
      takesMs: fc.nat(15),
      outcome,
    });
    const space = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      calls: fc.array(call, { minLength: 20, maxLength: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(space, async ({ limit, calls }) => {
        const accountId = await accountWith(limit);
        const runs = [newId(), newId(), newId()];
        let inUse = 0;
        let most = 0;
        await Promise.all(
          calls.map(async (each) => {
            await delay(each.startMs);
            const slots = each.process === 0 ? first : second;
            const slot = await slots.acquire({ accountId, runId: runs[each.run] ?? '', signal });
            inUse += 1;
            most = Math.max(most, inUse);
            await delay(each.takesMs);
            inUse -= 1;
            slot.release(each.outcome);
          }),
        );
        expect(most).toBeLessThanOrEqual(limit);
        expect((await rowsOf(accountId)).length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 8 },
    );
  });

  test('a run that calls without a pause gives way to the run of another process', async () => {
    const accountId = await accountWith(1);
    const busy = newId();
    let isDone = false;
    let calls = 0;
    const callOn = async () => {
      while (!isDone) {
        (await first.acquire({ accountId, runId: busy, signal })).release('success');
        calls += 1;
        await delay(1);
      }
    };
    const calling = callOn();
    await waitFor(() => calls >= 10);
    const reported: string[] = [];
    const stop = fixture.bus.listen(modelSlotEvents.contended, '', (event) => {
      reported.push(event.provider_account_id);
    });
    const turns: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const slot = await second.acquire({ accountId, runId: newId(), signal });
      turns.push(calls);
      await delay(5);
      expect(calls).toBe(turns[turn]);
      slot.release('success');
    }
    isDone = true;
    await calling;
    stop();
    expect(reported).toContain(accountId);
  });

  test('runs of two processes alternate where slots are scarce', async () => {
    const accountId = await accountWith(4);
    const order: string[] = [];
    const work = async (slots: BusSlots, runId: string) => {
      const slot = await slots.acquire({ accountId, runId, signal });
      order.push(runId);
      await delay(10);
      slot.release('success');
    };
    const [large, small] = [newId(), newId()];
    await Promise.all([
      ...Array.from({ length: 30 }, () => work(first, large)),
      ...Array.from({ length: 8 }, () => work(second, small)),
    ]);
    expect(order).toHaveLength(38);
    expect(order.lastIndexOf(small)).toBeLessThan(order.length - 8);
  });

  test('no process uses a kept slot after the provider has refused a call of another one', async () => {
    const accountId = await accountWith(4);
    const kept = { accountId, runId: newId(), signal };
    const [one, other] = [await first.acquire(kept), await second.acquire({ ...kept, runId: newId() })];
    one.release('success');
    const waitMs = 2_500;
    const before = performance.now();
    other.release('rate_limited', waitMs);
    await waitFor(async () => (await rowsOf(accountId)).length === 0, { timeoutMs: 1_500 });
    (await first.acquire(kept)).release('success');
    expect(performance.now() - before).toBeGreaterThanOrEqual(waitMs);
  });

  test('a lower limit of an account takes effect though its slots are kept in use', async () => {
    const accountId = await accountWith(2);
    const runId = newId();
    const used = { now: 0, most: 0, calls: 0 };
    let isDone = false;
    const callOn = async () => {
      while (!isDone) {
        const slot = await first.acquire({ accountId, runId, signal });
        used.now += 1;
        used.calls += 1;
        used.most = Math.max(used.most, used.now);
        await delay(5);
        used.now -= 1;
        slot.release('success');
      }
    };
    const calling = [callOn(), callOn()];
    await waitFor(() => used.most === 2);
    await fixture.database.query(
      `UPDATE runs.provider_accounts SET spec = jsonb_set(spec::jsonb, '{limits,max_concurrency}', '1') WHERE id = $1`,
      [accountId],
    );
    await waitFor(async () => (await rowsOf(accountId)).filter(({ held_since }) => held_since).length === 1, {
      timeoutMs: LEASE_MS,
    });
    used.most = 0;
    const { calls } = used;
    await waitFor(() => used.calls > calls + 20);
    isDone = true;
    await Promise.all(calling);
    expect(used.most).toBe(1);
  });

  test('the slots that a process keeps are released when it ends, and expire when it dies', async () => {
    const [ending, dying] = [await startProcess(), await startProcess()];
    const accountId = await accountWith(2);
    const calls = [ending, dying].map((slots) => slots.acquire({ accountId, runId: newId(), signal }));
    const connection = processes.at(-1)?.connection;
    for (const slot of await Promise.all(calls)) slot.release('success');
    await connection?.nats.close();
    ending.onApplicationShutdown();
    await waitFor(async () => (await rowsOf(accountId)).length === 1, { timeoutMs: 1_500 });
    const before = performance.now();
    const held = await Promise.all([1, 2].map(() => first.acquire({ accountId, runId: newId(), signal })));
    expect(performance.now() - before).toBeLessThan(LEASE_MS * 2);
    for (const slot of held) slot.release('failed');
  });
});
