import { type In, modelSlots, providerAccounts } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const LEASE_MS = 2_000;
const fixture = await openOrchestrator({ SLOT_LEASE_MS: String(LEASE_MS) });

interface Call {
  provider_account_id: string;
  run_id: string;
  slot_id: string;
  owner: string;
}

const call = (provider_account_id: string, run_id = newId(), owner = 'first'): Call => ({
  provider_account_id,
  run_id,
  slot_id: newId(),
  owner,
});

/** Requests until it has the slot, as executors do. */
async function hold(request: Call): Promise<Call> {
  for (;;) if ((await fixture.bus.call(modelSlots.acquire, request)).granted) return request;
}

const giveBack = ({ run_id, ...slot }: Call, end: Partial<In<typeof modelSlots.release>> = {}) =>
  fixture.bus.call(modelSlots.release, { ...slot, outcome: 'success', ...end });

async function heldOf(account: string): Promise<number> {
  const [row] = await fixture.database.query<{ count: string }>(
    'SELECT count(*) FROM runs.model_slots WHERE account_id = $1 AND held_since IS NOT NULL AND lease_until > now()',
    [account],
  );
  return Number(row?.count);
}

describe('the slots of a provider account', () => {
  test('slots never exceed the limit, and two runs of two owners alternate', async () => {
    const account = newId();
    const runs = [newId(), newId()];
    const order: string[] = [];
    let inUse = 0;
    let most = 0;
    const work = async (run: string, owner: string) => {
      const held = await hold(call(account, run, owner));
      inUse += 1;
      most = Math.max(most, inUse);
      order.push(run);
      await heldOf(account);
      inUse -= 1;
      // Failures leave the limit as it is.
      await giveBack(held, { outcome: 'failed' });
    };
    const [first = '', second = ''] = runs;
    await Promise.all([
      ...Array.from({ length: 30 }, () => work(first, 'first')),
      ...Array.from({ length: 10 }, () => work(second, 'second')),
    ]);
    expect(order).toHaveLength(40);
    expect(most).toBeLessThanOrEqual(10);
    // The smaller run completes long before the larger one, though its requests came last.
    expect(order.lastIndexOf(second)).toBeLessThan(order.length - 5);
  });

  test('slots number as many as the account allows', async () => {
    const { id } = await fixture.bus.call(providerAccounts.create, {
      workspace_id: fixture.workspaceId,
      actor: 'tests',
      spec: {
        name: 'narrow',
        provider_key: 'openai',
        credential_reference: 'workspace-secret://KEY',
        limits: { max_concurrency: 2 },
      },
    });
    const held = [await hold(call(id)), await hold(call(id))];
    const third = call(id);
    expect(await fixture.bus.call(modelSlots.acquire, third)).toEqual({ granted: false });
    await giveBack(held[0] ?? third);
    expect(await hold(third)).toBe(third);
  });

  test('a repeated request for a slot returns the same slot', async () => {
    const request = await hold(call(newId()));
    expect(await fixture.bus.call(modelSlots.acquire, request)).toMatchObject({ granted: true });
    expect(await heldOf(request.provider_account_id)).toBe(1);
    await giveBack(request);
    await giveBack(request);
    expect(await heldOf(request.provider_account_id)).toBe(0);
  });

  test('slots are released when their owner falls silent, and kept while it renews them', async () => {
    const account = newId();
    const all = await Promise.all(Array.from({ length: 10 }, () => hold(call(account))));
    const [kept, ...silent] = all;
    const slot_ids = [kept?.slot_id ?? ''];
    const isRenewed = async () =>
      (await fixture.bus.call(modelSlots.renew, { owner: 'first', slot_ids })).held.length === 1;
    await waitFor(async () => (await isRenewed()) && (await heldOf(account)) === 1, {
      timeoutMs: LEASE_MS * 5,
    });
    expect(await fixture.bus.call(modelSlots.renew, { owner: 'another', slot_ids })).toMatchObject({
      held: [],
    });
    await Promise.all(silent.map(() => hold(call(account))));
    expect(await heldOf(account)).toBe(10);
  });

  test('no slot is granted until Retry-After has passed', async () => {
    const account = newId();
    const refused = await hold(call(account));
    const waitMs = 1_500;
    const before = Date.now();
    await giveBack(refused, { outcome: 'rate_limited', retry_after_ms: waitMs });
    await hold(call(account));
    expect(Date.now() - before).toBeGreaterThanOrEqual(waitMs);
  });

  test('slots released while they are waited for leave the queue', async () => {
    const account = newId();
    const held = await Promise.all(Array.from({ length: 10 }, () => hold(call(account))));
    const left = call(account);
    const requested = fixture.bus.call(modelSlots.acquire, left);
    const waits = async () => {
      const sql = 'SELECT 1 FROM runs.model_slots WHERE id = $1';
      return (await fixture.database.query(sql, [left.slot_id])).length === 1;
    };
    await waitFor(waits);
    await giveBack(left);
    expect(await requested).toEqual({ granted: false });
    await giveBack(held[0] ?? left);
    expect(await heldOf(account)).toBe(9);
  });

  test('waiting calls get their slots after a restart of the orchestrator', async () => {
    const account = newId();
    const held = await Promise.all(Array.from({ length: 10 }, () => hold(call(account))));
    await fixture.stopOrchestrator();
    await fixture.startOrchestrator();
    const next = call(account);
    const requested = hold(next);
    await giveBack(held[0] ?? next);
    expect(await requested).toBe(next);
  });
});
