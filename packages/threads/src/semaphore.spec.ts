import { describe, expect, test } from '@jest/globals';
import { Semaphore } from './semaphore.js';

/** Resolves after everything that is ready has run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Semaphore', () => {
  test('a semaphore never grants more permits than it has, and a second release grants nothing', async () => {
    const semaphore = new Semaphore(2);
    const releases = [await semaphore.acquire(), await semaphore.acquire()];
    let entered = 0;
    for (let n = 0; n < 3; n += 1) void semaphore.acquire().then(() => (entered += 1));
    await settle();
    expect(entered).toBe(0);
    for (const release of releases) {
      release();
      release();
    }
    await settle();
    expect(entered).toBe(2);
  });

  test('a semaphore admits urgent requests first, and requests of equal urgency in their order', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire();
    const order: string[] = [];
    const wait = (name: string, isUrgent: boolean) =>
      semaphore.acquire({ isUrgent }).then((releaseNow) => {
        order.push(name);
        releaseNow();
      });
    const all = [wait('a', false), wait('b', true), wait('c', false), wait('d', true)];
    release();
    await Promise.all(all);
    expect(order).toEqual(['b', 'd', 'a', 'c']);
  });

  test('a request with an aborted signal neither waits for a permit nor acquires one', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire();
    const ending = new AbortController();
    const waiting = semaphore.acquire({ signal: ending.signal });
    ending.abort();
    (await waiting)();
    (await semaphore.acquire({ signal: ending.signal }))();
    let isFree = false;
    void semaphore.acquire().then(() => {
      isFree = true;
    });
    await settle();
    expect(isFree).toBe(false);
    release();
    await settle();
    expect(isFree).toBe(true);
  });
});
