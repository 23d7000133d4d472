import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type AccountState,
  allocateSlots,
  nextCalls,
  type QueuedCall,
  type Release,
  type RunShare,
  type SlotRow,
} from './slot-allocation.js';

const nowMs = 1_000_000;
const slot = (id: string, held: boolean): SlotRow => ({
  id,
  runId: 'run',
  owner: 'owner',
  requestedAtMs: 0,
  heldSinceMs: held ? 1 : null,
});
const state = (slots: SlotRow[], changes: Partial<AccountState> = {}): AccountState => ({
  limit: null,
  max: 100,
  slots,
  servedAtMs: new Map(),
  ...changes,
});
const many = (count: number, held: boolean, prefix = held ? 'h' : 'w') =>
  Array.from({ length: count }, (_, n) => slot(`${prefix}${n}`, held));
const release = (slotId: string, changes: Partial<Release> = {}): Release => ({
  slotId,
  owner: 'owner',
  outcome: 'success',
  retryAfterMs: 0,
  ...changes,
});

describe('the slots of an account', () => {
  test('slots begin with ten at once, or fewer by the limit of the account', () => {
    expect(allocateSlots(state(many(40, false)), [], nowMs).granted).toHaveLength(10);
    expect(allocateSlots(state(many(40, false), { max: 3 }), [], nowMs).granted).toHaveLength(3);
  });

  test('slots are released by their holder, once', () => {
    const held = state([...many(10, true), ...many(5, false)]);
    const twice = allocateSlots(held, [release('h0'), release('h0')], nowMs);
    expect([twice.released, twice.granted.length]).toEqual([['h0'], 1]);
    const foreign = allocateSlots(held, [release('h0', { owner: 'another' })], nowMs);
    expect([foreign.released, foreign.granted]).toEqual([[], []]);
  });

  test('no slot is granted during Retry-After of the provider, and half as many afterwards', () => {
    const received = [release('h0', { outcome: 'rate_limited', retryAfterMs: 5_000 })];
    const limited = allocateSlots(state([...many(10, true), ...many(5, false)]), received, nowMs);
    expect(limited.granted).toEqual([]);
    const waiting = state(many(9, false), { limit: limited.limit });
    expect(allocateSlots(waiting, [], nowMs + 4_999).granted).toEqual([]);
    expect(allocateSlots(waiting, [], nowMs + 5_000).granted).toHaveLength(5);
  });

  test('a call that was abandoned while it waited does not change the limit', () => {
    const left = [release('w0', { outcome: 'rate_limited' })];
    expect(allocateSlots(state(many(1, false)), left, nowMs)).toMatchObject({
      released: ['w0'],
      limit: { limit: 10 },
    });
  });

  test('slots never exceed the limit', () => {
    const outcome = fc.constantFrom('success' as const, 'rate_limited' as const, 'failed' as const);
    const steps = fc.array(fc.record({ requests: fc.nat(8), ends: fc.array(outcome, { maxLength: 8 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 30 }), (script, max) => {
        let slots: SlotRow[] = [];
        let limit: AccountState['limit'] = null;
        for (const [index, { requests, ends }] of script.entries()) {
          slots = [...slots, ...many(requests, false, `s${index}-`)];
          const held = slots.filter(({ heldSinceMs }) => heldSinceMs !== null);
          const releases = held
            .slice(0, ends.length)
            .map(({ id }, n) => release(id, { outcome: ends[n] ?? 'failed' }));
          const before = held.length;
          const round = allocateSlots(state(slots, { limit, max }), releases, nowMs + index * 1_000);
          limit = round.limit;
          const granted = new Set(round.granted.map(({ id }) => id));
          slots = slots
            .filter(({ id }) => !round.released.includes(id))
            .map((each) => (granted.has(each.id) ? { ...each, heldSinceMs: 1 } : each));
          const inUse = slots.filter(({ heldSinceMs }) => heldSinceMs !== null).length;
          if (granted.size > 0) expect(inUse).toBeLessThanOrEqual(Math.min(limit.limit, max));
          else expect(inUse).toBeLessThanOrEqual(before);
        }
      }),
    );
  });
});

const now = { nowMs: 1_000_000 };
const queue = (runId: string, count: number, requestedAtMs = 0): QueuedCall[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${runId}${n}`, runId, requestedAtMs: requestedAtMs + n }));
const runsOf = (chosen: QueuedCall[]) => chosen.map(({ runId }) => runId).join('');

describe('waiting runs', () => {
  test('waiting runs alternate, however many calls one of them has waiting and however long', () => {
    const waiting = [...queue('a', 50), ...queue('b', 3, 500)];
    expect(runsOf(nextCalls(waiting, new Map(), { freeSlots: 6, ...now }))).toBe('ababab');
  });

  test('runs with fewer slots go first, of equal ones the one unserved for longest', () => {
    const shares = new Map<string, RunShare>([
      ['a', { held: 2, servedAtMs: 1 }],
      ['b', { held: 0, servedAtMs: 9 }],
      ['c', { held: 0, servedAtMs: 5 }],
    ]);
    const waiting = [...queue('a', 2), ...queue('b', 2), ...queue('c', 2)];
    expect(runsOf(nextCalls(waiting, shares, { freeSlots: 6, ...now }))).toBe('cbcbaa');
  });

  test('calls of one run are served in the order of their requests', () => {
    const chosen = nextCalls(queue('a', 5).reverse(), new Map(), { freeSlots: 3, ...now });
    expect(chosen.map(({ id }) => id)).toEqual(['a0', 'a1', 'a2']);
  });

  test('calls get no more slots than are free, each call once, and all free slots while any waits', () => {
    const waitingCalls = fc
      .array(fc.record({ runId: fc.constantFrom('a', 'b', 'c'), requestedAtMs: fc.nat(50) }), {
        maxLength: 30,
      })
      .map((calls) => calls.map((call, index) => ({ ...call, id: String(index) })));
    fc.assert(
      fc.property(waitingCalls, fc.integer({ min: -3, max: 40 }), (waiting, freeSlots) => {
        const chosen = nextCalls(waiting, new Map(), { freeSlots, ...now });
        expect(chosen).toHaveLength(Math.max(0, Math.min(freeSlots, waiting.length)));
        expect(new Set(chosen).size).toBe(chosen.length);
        const counts = ['a', 'b', 'c'].map((runId) => ({
          got: chosen.filter((call) => call.runId === runId).length,
          wanted: waiting.filter((call) => call.runId === runId).length,
        }));
        const most = Math.max(...counts.map(({ got }) => got));
        for (const { got, wanted } of counts) expect(got === wanted || got >= most - 1).toBe(true);
      }),
    );
  });
});
