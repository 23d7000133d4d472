import { describe, expect, test } from '@jest/globals';
import { WorkPlaces } from './work-places.js';

/** Lets everything that is ready happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('places for attempts at work', () => {
  test('are never more than there are', async () => {
    const places = new WorkPlaces(2);
    const leaves = [await places.take(), await places.take()];
    let entered = 0;
    for (let n = 0; n < 3; n += 1) void places.take().then(() => (entered += 1));
    await settle();
    expect(entered).toBe(0);
    for (const leave of leaves) {
      leave();
      leave();
    }
    await settle();
    expect(entered).toBe(2);
  });

  test('go to those that go on before those that would begin, each in their order', async () => {
    const places = new WorkPlaces(1);
    const leave = await places.take();
    const order: string[] = [];
    const wait = (name: string, isUrgent: boolean) =>
      places.take({ isUrgent }).then((leaveNow) => {
        order.push(name);
        leaveNow();
      });
    const all = [wait('a', false), wait('b', true), wait('c', false), wait('d', true)];
    leave();
    await Promise.all(all);
    expect(order).toEqual(['b', 'd', 'a', 'c']);
  });

  test('are not waited for, nor taken, by what is to end', async () => {
    const places = new WorkPlaces(1);
    const leave = await places.take();
    const ending = new AbortController();
    const waiting = places.take({ signal: ending.signal });
    ending.abort();
    (await waiting)();
    (await places.take({ signal: ending.signal }))();
    let isFree = false;
    void places.take().then(() => {
      isFree = true;
    });
    await settle();
    expect(isFree).toBe(false);
    leave();
    await settle();
    expect(isFree).toBe(true);
  });
});
