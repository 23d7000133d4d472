import { describe, expect, test } from '@jest/globals';
import { ReadingTurns } from './reading-turns.js';

const LIMITS = { atOnceMax: 3, perWorkspaceMax: 2, waitingMsMax: 60_000 };

/** Turns whose beginnings are written down. */
function watched(limits = LIMITS) {
  const turns = new ReadingTurns(limits);
  const begun: string[] = [];
  const begin = (workspaceId: string) => turns.begin(workspaceId).then(() => void begun.push(workspaceId));
  return { turns, begun, begin };
}

describe('turns of reading', () => {
  test('one workspace leaves the others a turn, and waits without holding up who comes later', async () => {
    const { turns, begun, begin } = watched();
    const all = [begin('a'), begin('a'), begin('a'), begin('b')];
    await Promise.all([all[0], all[1], all[3]]);
    expect(begun).toEqual(['a', 'a', 'b']);
    turns.end('a');
    await all[2];
    expect(begun).toEqual(['a', 'a', 'b', 'a']);
  });

  test('who waits longest is next', async () => {
    const { turns, begun, begin } = watched({ ...LIMITS, atOnceMax: 1 });
    const all = ['a', 'b', 'c'].map(begin);
    await all[0];
    turns.end('a');
    await all[1];
    turns.end('b');
    await all[2];
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  test('who has waited too long is told to come again, and gets no turn any more', async () => {
    const { turns, begun, begin } = watched({ ...LIMITS, atOnceMax: 1, waitingMsMax: 1 });
    await begin('a');
    await expect(begin('b')).rejects.toMatchObject({ code: 'unavailable' });
    turns.end('a');
    await begin('c');
    expect(begun).toEqual(['a', 'c']);
  });
});
