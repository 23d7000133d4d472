import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairLimiter, type FairLimiterLimits, FairQueue, TooManyWaiting } from './fair-limiter.js';

/** A limiter that records the order in which work starts; `end` ends the oldest work of a tenant. */
function recorded(limits: Partial<FairLimiterLimits> = {}) {
  const limiter = new FairLimiter({ atOnce: 3, waitingMax: 10, ...limits });
  const started: string[] = [];
  const running: { tenant: string; end: () => void }[] = [];
  const take = (tenant: string, signal?: AbortSignal) =>
    limiter.take({ tenant, signal }, async () => {
      started.push(tenant);
      await new Promise<void>((end) => running.push({ tenant, end }));
    });
  const end = async (tenant: string) => {
    const [oldest] = running.splice(
      running.findIndex((each) => each.tenant === tenant),
      1,
    );
    oldest?.end();
    // The next work starts in a later turn of the event loop.
    await new Promise(setImmediate);
  };
  return { started, take, end };
}

describe('A fair limiter', () => {
  test('A fair limiter leaves a slot to other tenants, whose work overtakes that of the tenant at its limit', async () => {
    const { started, take, end } = recorded();
    const all = ['a', 'a', 'a', 'b'].map((tenant) => take(tenant));
    await new Promise(setImmediate);
    expect(started).toEqual(['a', 'a', 'b']);
    await end('a');
    expect(started).toEqual(['a', 'a', 'b', 'a']);
    for (const tenant of ['a', 'a', 'b']) await end(tenant);
    await Promise.all(all);
  });

  test('A fair limiter gives slots to tenants in rotation, and to the work of one tenant in its order', async () => {
    const { started, take, end } = recorded({ atOnce: 1 });
    const all = ['a', 'b', 'b', 'c'].map((tenant) => take(tenant));
    for (const tenant of ['a', 'b', 'c', 'b']) await end(tenant);
    await Promise.all(all);
    expect(started).toEqual(['a', 'b', 'c', 'b']);
  });

  test('A fair limiter rejects work whose wait is cancelled, and gives it no slot later', async () => {
    const { started, take, end } = recorded({ atOnce: 1 });
    const cancelled = new AbortController();
    const first = take('a');
    const waiting = take('b', cancelled.signal);
    cancelled.abort(new Error('waited too long'));
    await expect(waiting).rejects.toBe(cancelled.signal.reason);
    await end('a');
    await first;
    const last = take('c');
    await end('c');
    await last;
    expect(started).toEqual(['a', 'c']);
  });

  test('A fair limiter rejects work of a tenant whose queue is full, and of no other', async () => {
    const { started, take, end } = recorded({ atOnce: 1, waitingMax: 1 });
    const all = [take('a'), take('a')];
    await expect(take('a')).rejects.toBeInstanceOf(TooManyWaiting);
    all.push(take('b'));
    for (const tenant of ['a', 'a', 'b']) await end(tenant);
    await Promise.all(all);
    expect(started).toEqual(['a', 'a', 'b']);
  });
});

const drained = (queue: FairQueue<number>) => {
  const order: [string, number][] = [];
  for (let next = queue.shift(() => true); next !== undefined; next = queue.shift(() => true)) {
    order.push([next.tenant, next.item]);
  }
  return order;
};

test('tenants are served in rotation, and the items of a tenant in their order', () => {
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
