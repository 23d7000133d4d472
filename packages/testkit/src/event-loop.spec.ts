import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { leastBlockMs } from './event-loop.js';

test('what computes between two turns is seen in every try, what waits is not', async () => {
  const computing = async () => {
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 80_000);
  };
  expect(await leastBlockMs(computing, 20)).toBeGreaterThan(20);
  expect(await leastBlockMs(() => delay(80), 20)).toBeLessThanOrEqual(20);
});

test('what fails ends the measurement with its error', async () => {
  await expect(leastBlockMs(() => Promise.reject(new Error('broken')), 20)).rejects.toThrow('broken');
});
