import { expect, test } from '@jest/globals';
import { fakeClock } from './fake-clock.js';

test('a fake clock keeps its time until it is advanced', async () => {
  const clock = fakeClock(1_000);
  expect(clock.now()).toBe(1_000);
  await clock.advance(500);
  expect(clock.now()).toBe(1_500);
});

test('a fake clock wakes sleepers in order of time, each at its own time, also those that sleep again', async () => {
  const clock = fakeClock(0);
  const woken: [string, number][] = [];
  const beat = async (name: string, ms: number, times: number) => {
    for (let i = 0; i < times; i++) {
      await clock.sleep(ms);
      woken.push([name, clock.now()]);
    }
  };
  void beat('slow', 30, 1);
  void beat('fast', 20, 2);
  await clock.advance(35);
  expect(woken).toEqual([
    ['fast', 20],
    ['slow', 30],
  ]);
  await clock.advance(5);
  expect(woken.at(-1)).toEqual(['fast', 40]);
});

test('an aborted sleep rejects with the reason and is never woken', async () => {
  const clock = fakeClock();
  const abort = new AbortController();
  const sleep = clock.sleep(10, abort.signal);
  abort.abort(new Error('enough'));
  await expect(sleep).rejects.toThrow('enough');
  await expect(clock.sleep(10, abort.signal)).rejects.toThrow('enough');
});
