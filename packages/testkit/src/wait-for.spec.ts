import { expect, test } from '@jest/globals';
import { waitFor } from './wait-for.js';

test('waitFor returns the first truthy result', async () => {
  const results = [undefined, 0, '', 'there'];
  await expect(waitFor(() => results.shift(), { intervalMs: 0 })).resolves.toBe('there');
});

test('waitFor repeats a failed assertion', async () => {
  let tries = 0;
  await waitFor(
    () => {
      tries += 1;
      expect(tries).toBeGreaterThan(2);
      return true;
    },
    { intervalMs: 0 },
  );
  expect(tries).toBe(3);
});

test('waitFor fails after the timeout with the last reason', async () => {
  const never = waitFor(() => Promise.reject(new Error('still closed')), { timeoutMs: 5, intervalMs: 1 });
  await expect(never).rejects.toThrow('Waited 5 ms in vain: still closed');
});
