import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Turns } from './turns.js';

/** Waiters that note when they are admitted. */
function waiters(turns: Turns, count: number): number[] {
  const admitted: number[] = [];
  for (let at = 0; at < count; at++) void turns.next().then(() => admitted.push(at));
  return admitted;
}

describe('Turns of the event loop', () => {
  test('each turn admits a few waiters, in the order of their calls', async () => {
    const admitted = waiters(new Turns(2, () => false), 5);
    const counts: number[] = [];
    while (admitted.length < 5) {
      await nextTurn();
      counts.push(admitted.length);
    }
    expect(admitted).toEqual([0, 1, 2, 3, 4]);
    expect(counts).toEqual([2, 4, 5]);
  });

  test('no waiter is admitted while the work is behind, and all are once it is not and they are looked at', async () => {
    let isBehind = true;
    const turns = new Turns(8, () => isBehind);
    const admitted = waiters(turns, 3);
    await nextTurn();
    await nextTurn();
    expect(admitted).toEqual([]);
    isBehind = false;
    turns.admit();
    await nextTurn();
    expect(admitted).toEqual([0, 1, 2]);
  });

  test('a further waiter has those before it admitted once the work is no longer behind', async () => {
    let isBehind = true;
    const turns = new Turns(8, () => isBehind);
    const admitted = waiters(turns, 2);
    await nextTurn();
    isBehind = false;
    await turns.next();
    expect(admitted).toEqual([0, 1]);
  });
});
