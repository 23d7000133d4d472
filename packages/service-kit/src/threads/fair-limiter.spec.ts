import { describe, expect, test } from '@jest/globals';
import { FairLimiter, type FairLimiterLimits, TooManyWaiting } from './fair-limiter.js';

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
  test('leaves a slot to other tenants, whose work overtakes that of the tenant at its limit', async () => {
    const { started, take, end } = recorded();
    const all = ['a', 'a', 'a', 'b'].map((tenant) => take(tenant));
    await new Promise(setImmediate);
    expect(started).toEqual(['a', 'a', 'b']);
    await end('a');
    expect(started).toEqual(['a', 'a', 'b', 'a']);
    for (const tenant of ['a', 'a', 'b']) await end(tenant);
    await Promise.all(all);
  });

  test('gives slots to tenants in rotation, and to the work of one tenant in its order', async () => {
    const { started, take, end } = recorded({ atOnce: 1 });
    const all = ['a', 'b', 'b', 'c'].map((tenant) => take(tenant));
    for (const tenant of ['a', 'b', 'c', 'b']) await end(tenant);
    await Promise.all(all);
    expect(started).toEqual(['a', 'b', 'c', 'b']);
  });

  test('rejects work whose wait is cancelled, and gives it no slot later', async () => {
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

  test('rejects work of a tenant whose queue is full, and of no other', async () => {
    const { started, take, end } = recorded({ atOnce: 1, waitingMax: 1 });
    const all = [take('a'), take('a')];
    await expect(take('a')).rejects.toBeInstanceOf(TooManyWaiting);
    all.push(take('b'));
    for (const tenant of ['a', 'a', 'b']) await end(tenant);
    await Promise.all(all);
    expect(started).toEqual(['a', 'a', 'b']);
  });
});
