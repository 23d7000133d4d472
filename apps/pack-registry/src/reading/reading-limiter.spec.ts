import { describe, expect, test } from '@jest/globals';
import { ReadingLimiter } from './reading-limiter.js';

const LIMITS = { atOnceMax: 3, perWorkspaceMax: 2, waitingMsMax: 60_000 };

/** A limiter that records the order of granted slots. */
function recorded(limits = LIMITS) {
  const limiter = new ReadingLimiter(limits);
  const granted: string[] = [];
  const acquire = (workspaceId: string) =>
    limiter.acquire(workspaceId).then(() => void granted.push(workspaceId));
  return { limiter, granted, acquire };
}

describe('the limiter of readers', () => {
  test('leaves a slot to other workspaces, and does not block later work of others', async () => {
    const { limiter, granted, acquire } = recorded();
    const all = [acquire('a'), acquire('a'), acquire('a'), acquire('b')];
    await Promise.all([all[0], all[1], all[3]]);
    expect(granted).toEqual(['a', 'a', 'b']);
    limiter.release('a');
    await all[2];
    expect(granted).toEqual(['a', 'a', 'b', 'a']);
  });

  test('grants slots in order of waiting', async () => {
    const { limiter, granted, acquire } = recorded({ ...LIMITS, atOnceMax: 1 });
    const all = ['a', 'b', 'c'].map(acquire);
    await all[0];
    limiter.release('a');
    await all[1];
    limiter.release('b');
    await all[2];
    expect(granted).toEqual(['a', 'b', 'c']);
  });

  test('rejects work that has waited too long, and grants it no slot later', async () => {
    const { limiter, granted, acquire } = recorded({ ...LIMITS, atOnceMax: 1, waitingMsMax: 1 });
    await acquire('a');
    await expect(acquire('b')).rejects.toMatchObject({ code: 'unavailable' });
    limiter.release('a');
    await acquire('c');
    expect(granted).toEqual(['a', 'c']);
  });
});
