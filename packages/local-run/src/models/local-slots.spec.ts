import { expect, test } from '@jest/globals';
import { LocalSlots } from './local-slots.js';

const { signal } = new AbortController();
const request = { accountId: 'account', runId: 'run', signal };

test('an account has no more calls at once than its limit, and a release lets the next one through', async () => {
  const slots = new LocalSlots(() => 2);
  const [first] = await Promise.all([slots.acquire(request), slots.acquire(request)]);
  let isGranted = false;
  const third = slots.acquire(request).then((slot) => {
    isGranted = true;
    return slot;
  });
  await Promise.resolve();
  expect(isGranted).toBe(false);
  first?.release('success');
  await third;
  expect(isGranted).toBe(true);
});

test('a call that is cancelled while it waits leaves the line', async () => {
  const slots = new LocalSlots(() => 1);
  const held = await slots.acquire(request);
  const cancelled = new AbortController();
  const waiting = slots.acquire({ ...request, signal: cancelled.signal });
  cancelled.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  held.release('success');
  await expect(slots.acquire(request)).resolves.toBeDefined();
});

test('an account that its provider has blocked admits nothing until then', async () => {
  const slots = new LocalSlots(() => 1);
  const held = await slots.acquire(request);
  const startedAt = performance.now();
  held.release('rate_limited', 150);
  await slots.acquire(request);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(140);
});
