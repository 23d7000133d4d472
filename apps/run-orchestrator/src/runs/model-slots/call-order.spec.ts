import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextCalls, type QueuedCall, type RunShare } from './call-order.js';

const now = { nowMs: 1_000_000 };
const queue = (runId: string, count: number, requestedAtMs = 0): QueuedCall[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${runId}${n}`, runId, requestedAtMs: requestedAtMs + n }));
const runsOf = (chosen: QueuedCall[]) => chosen.map(({ runId }) => runId).join('');

describe('waiting runs', () => {
  test('take turns, however many calls one of them has waiting and however long', () => {
    const waiting = [...queue('a', 50), ...queue('b', 3, 500)];
    expect(runsOf(nextCalls(waiting, new Map(), { freeSlots: 6, ...now }))).toBe('ababab');
  });

  test('with fewer slots go first, of equal ones the one unserved for longest', () => {
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
