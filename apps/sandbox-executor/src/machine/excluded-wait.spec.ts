import { expect, test } from '@jest/globals';
import { FairQueries } from './excluded-wait.js';

/** Work that ends when it is released. */
function held() {
  let release = () => {};
  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { work: () => ended, release };
}

test('queries of one workspace do not keep those of another waiting, and a wait is not the time of its attempt', async () => {
  const queries = new FairQueries();
  const { signal } = new AbortController();
  const { work, release } = held();
  let excludedMs = 0;
  const exclude = (ms: number) => {
    excludedMs += ms;
  };
  const many = Array.from({ length: 16 }, () => queries.of('attacker').run(work, { signal, exclude }));
  let victimExcludedMs = 0;
  const victim = queries.of('victim').run(async () => 'done', {
    signal,
    exclude: (ms) => {
      victimExcludedMs += ms;
    },
  });
  expect(await victim).toBe('done');
  expect(victimExcludedMs).toBe(0);
  release();
  await Promise.all(many);
  expect(excludedMs).toBeGreaterThan(0);
});

test('a query that is cancelled while it waits leaves the queue', async () => {
  const queries = new FairQueries();
  const { work, release } = held();
  const exclude = () => undefined;
  const running = queries.of('w').run(work, { signal: new AbortController().signal, exclude });
  const cancelled = new AbortController();
  const waiting = queries.of('w').run(async () => 'never', { signal: cancelled.signal, exclude });
  cancelled.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  release();
  await running;
  const next = queries.of('w').run(async () => 'next', { signal: new AbortController().signal, exclude });
  expect(await next).toBe('next');
});
