import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CONTENDED_MS, IDLE_MS, type KeepableSlot, KeptSlots } from './kept-slots.js';

const slotOf = (changes: Partial<KeepableSlot> = {}): KeepableSlot => ({
  accountId: 'account',
  runId: 'run',
  usableUntil: 10_000,
  ...changes,
});

describe('the slots that a process keeps between calls', () => {
  test('a kept slot serves the next call of its run, once', () => {
    const kept = new KeptSlots();
    const slot = slotOf();
    expect(kept.keep(slot, 0)).toBe(true);
    expect(kept.take(slot, 1)).toBe(slot);
    expect(kept.take(slot, 1)).toBeUndefined();
  });

  test.each([
    ['another run', { runId: 'another' }],
    ['another account', { accountId: 'another' }],
  ])('a kept slot serves no call of %s', (_title, changes) => {
    const kept = new KeptSlots();
    kept.keep(slotOf(), 0);
    expect(kept.take(slotOf(changes), 1)).toBeUndefined();
  });

  test('no slot of an account is kept while others wait for it, and those of other accounts are', () => {
    const kept = new KeptSlots();
    const [contended, other] = [slotOf(), slotOf({ accountId: 'other' })];
    kept.keep(contended, 0);
    kept.keep(other, 0);
    expect(kept.contend('account', 1)).toEqual([contended]);
    expect(kept.keep(contended, CONTENDED_MS)).toBe(false);
    expect(kept.take(other, 2)).toBe(other);
    expect(kept.keep(contended, 1 + CONTENDED_MS)).toBe(true);
  });

  test('a slot is returned when it is idle for too long or may be used no further', () => {
    const kept = new KeptSlots();
    const [idle, old] = [slotOf(), slotOf({ usableUntil: 5 })];
    kept.keep(idle, 0);
    kept.keep(old, 1);
    expect(kept.expire(5)).toEqual([old]);
    expect(kept.expire(IDLE_MS)).toEqual([idle]);
    expect(kept.keep(old, 5)).toBe(false);
  });

  test('whatever happens, a slot has one holder, is used in time by its own run only, and is never lost', () => {
    const ids = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('call' as const), accountId: ids, runId: ids }),
      fc.record({ kind: fc.constant('end' as const), index: fc.nat(10) }),
      fc.record({ kind: fc.constant('contend' as const), accountId: ids }),
      fc.record({ kind: fc.constant('expire' as const) }),
    );
    const timed = fc.tuple(fc.integer({ min: 0, max: 1_500 }), step);
    fc.assert(
      fc.property(fc.array(timed, { maxLength: 80 }), (steps) => {
        const kept = new KeptSlots();
        const inUse: KeepableSlot[] = [];
        const resting = new Set<KeepableSlot>();
        const contendedAt = new Map<string, number>();
        let now = 0;
        const returned = (slots: readonly KeepableSlot[]) => {
          for (const slot of slots) expect(resting.delete(slot)).toBe(true);
        };
        for (const [pause, each] of steps) {
          now += pause;
          if (each.kind === 'call') {
            const slot = kept.take(each, now);
            if (slot === undefined) {
              inUse.push({ ...each, usableUntil: now + 10_000 });
              continue;
            }
            expect(slot).toMatchObject({ accountId: each.accountId, runId: each.runId });
            expect(now).toBeLessThan(slot.usableUntil);
            expect(resting.delete(slot)).toBe(true);
            inUse.push(slot);
          } else if (each.kind === 'end') {
            const [slot] = inUse.splice(each.index, 1);
            if (slot === undefined || !kept.keep(slot, now)) continue;
            expect(now - (contendedAt.get(slot.accountId) ?? -CONTENDED_MS)).toBeGreaterThanOrEqual(
              CONTENDED_MS,
            );
            resting.add(slot);
          } else if (each.kind === 'contend') {
            contendedAt.set(each.accountId, now);
            returned(kept.contend(each.accountId, now));
            expect([...resting].filter(({ accountId }) => accountId === each.accountId)).toEqual([]);
          } else returned(kept.expire(now));
        }
        returned(kept.expire(now + IDLE_MS));
        expect([resting.size, kept.isEmpty]).toEqual([0, true]);
      }),
    );
  });
});
