import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstShown, type OrderedItem, orderFor } from './rater-order.js';

const items: OrderedItem[] = Array.from({ length: 20 }, (_, index) => ({
  id: `item ${index}`,
  repeats: null,
}));
const repeats: OrderedItem[] = items.slice(0, 8).map(({ id }) => ({ id: `${id} again`, repeats: id }));
const rater = fc.record({ seed: fc.nat(), rater: fc.string() });

describe('the order of a rater', () => {
  test('all items occur once, whatever order they are stored in', () => {
    fc.assert(
      fc.property(rater, (of) => {
        const ordered = orderFor([...items, ...repeats], of);
        expect(ordered).toEqual(orderFor([...repeats, ...items].reverse(), of));
        expect(new Set(ordered.map(({ id }) => id)).size).toBe(28);
      }),
    );
  });

  test('an item that repeats another one comes after it and shows the other order', () => {
    fc.assert(
      fc.property(rater, (of) => {
        const ids = orderFor([...items, ...repeats], of).map(({ id }) => id);
        for (const item of repeats) {
          const original = { id: item.repeats ?? '', repeats: null };
          expect(ids.indexOf(item.id)).toBeGreaterThan(ids.indexOf(original.id));
          expect(firstShown(item, of)).not.toBe(firstShown(original, of));
        }
      }),
    );
  });

  test('raters and seeds have orders of their own, and both sides are about as frequent', () => {
    const order = (of: { seed: number; rater: string }) => JSON.stringify(orderFor(items, of));
    const first = order({ seed: 1, rater: 'ann' });
    expect(order({ seed: 1, rater: 'ben' })).not.toBe(first);
    expect(order({ seed: 2, rater: 'ann' })).not.toBe(first);
    const sides = Array.from({ length: 2_000 }, (_, index) =>
      firstShown({ id: `item ${index}`, repeats: null }, { seed: 1, rater: 'ann' }),
    );
    const left = sides.filter((side) => side === 'left').length;
    expect(Math.abs(left - 1_000)).toBeLessThan(150);
  });
});
