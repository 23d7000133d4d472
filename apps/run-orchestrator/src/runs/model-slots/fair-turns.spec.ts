import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextInTurn, type RunStanding, type Waiting } from './fair-turns.js';

const now = { nowMs: 1_000_000 };
const line = (runId: string, count: number, askedAtMs = 0): Waiting[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${runId}${n}`, runId, askedAtMs: askedAtMs + n }));
const runsOf = (chosen: Waiting[]) => chosen.map(({ runId }) => runId).join('');

describe('waiting runs', () => {
  test('take turns, however many calls one of them has waiting and however long', () => {
    const waiting = [...line('a', 50), ...line('b', 3, 500)];
    expect(runsOf(nextInTurn(waiting, new Map(), { room: 6, ...now }))).toBe('ababab');
  });

  test('with fewer slots go first, of equal ones the one unserved for longest', () => {
    const standings = new Map<string, RunStanding>([
      ['a', { held: 2, servedAtMs: 1 }],
      ['b', { held: 0, servedAtMs: 9 }],
      ['c', { held: 0, servedAtMs: 5 }],
    ]);
    const waiting = [...line('a', 2), ...line('b', 2), ...line('c', 2)];
    expect(runsOf(nextInTurn(waiting, standings, { room: 6, ...now }))).toBe('cbcbaa');
  });

  test('are served in the order in which their calls asked', () => {
    const chosen = nextInTurn(line('a', 5).reverse(), new Map(), { room: 3, ...now });
    expect(chosen.map(({ id }) => id)).toEqual(['a0', 'a1', 'a2']);
  });

  test('get no more than there is room for, each call once, and all the room while any waits', () => {
    const waitingCalls = fc
      .array(fc.record({ runId: fc.constantFrom('a', 'b', 'c'), askedAtMs: fc.nat(50) }), { maxLength: 30 })
      .map((calls) => calls.map((call, index) => ({ ...call, id: String(index) })));
    fc.assert(
      fc.property(waitingCalls, fc.integer({ min: -3, max: 40 }), (waiting, room) => {
        const chosen = nextInTurn(waiting, new Map(), { room, ...now });
        expect(chosen).toHaveLength(Math.max(0, Math.min(room, waiting.length)));
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
