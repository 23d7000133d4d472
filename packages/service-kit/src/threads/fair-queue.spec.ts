import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

const drained = (queue: FairQueue<number>) => {
  const order: [string, number][] = [];
  for (let next = queue.shift(() => true); next !== undefined; next = queue.shift(() => true)) {
    order.push([next.tenant, next.item]);
  }
  return order;
};

test('tenants take turns, and within a tenant the first comes first', () => {
  const queue = new FairQueue<number>();
  for (const item of [1, 2, 3]) queue.push('a', item);
  queue.push('b', 4);
  queue.push('c', 5);
  expect(drained(queue)).toEqual([
    ['a', 1],
    ['b', 4],
    ['c', 5],
    ['a', 2],
    ['a', 3],
  ]);
});

test('a tenant that may have nothing now keeps its place', () => {
  const queue = new FairQueue<number>();
  queue.push('a', 1);
  queue.push('b', 2);
  expect(queue.shift((tenant) => tenant !== 'a')).toEqual({ tenant: 'b', item: 2 });
  expect(drained(queue)).toEqual([['a', 1]]);
});

test('a tenant waits for at most one item of each other tenant, and nothing is lost', () => {
  const item = fc.record({ tenant: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.nat() });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (items) => {
      const queue = new FairQueue<number>();
      for (const { tenant, value } of items) queue.push(tenant, value);
      const order = drained(queue);
      for (const tenant of new Set(items.map((each) => each.tenant))) {
        const own = items.filter((each) => each.tenant === tenant).map(({ value }) => value);
        expect(order.filter(([of]) => of === tenant).map(([, value]) => value)).toEqual(own);
        const first = order.findIndex(([of]) => of === tenant);
        expect(new Set(order.slice(0, first).map(([of]) => of)).size).toBe(first);
      }
      expect(order).toHaveLength(items.length);
    }),
  );
});

test('removed items are not returned', () => {
  const queue = new FairQueue<number>();
  queue.push('a', 1);
  queue.push('a', 2);
  queue.remove('a', 1);
  expect(queue.countOf('a')).toBe(1);
  expect(drained(queue)).toEqual([['a', 2]]);
});
