import { describe, expect, test } from '@jest/globals';
import { Turns } from './turns.js';

const { signal: never } = new AbortController();

/** Works that begin and end in the order that they were asked for, and when they are told to. */
function works(turns: Turns) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const ask = (id: number, signal: AbortSignal = never) =>
    turns.take(() => {
      begun.push(id);
      return new Promise<void>((resolve) => ends.set(id, resolve));
    }, signal);
  return { begun, ask, end: (id: number) => ends.get(id)?.() };
}

describe('turns', () => {
  test('let no more go on at once than they may, and the rest in the order in which they came', async () => {
    const { begun, ask, end } = works(new Turns(2));
    const asked = [1, 2, 3, 4].map((id) => ask(id));
    expect(await settled(begun)).toEqual([1, 2]);
    end(2);
    expect(await settled(begun)).toEqual([1, 2, 3]);
    end(1);
    end(3);
    expect(await settled(begun)).toEqual([1, 2, 3, 4]);
    end(4);
    await Promise.all(asked);
  });

  test('pass over whoever gave up waiting', async () => {
    const { begun, ask, end } = works(new Turns(1));
    const leaving = new AbortController();
    const [first, left, last] = [ask(1), ask(2, leaving.signal), ask(3)];
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    end(1);
    await first;
    expect(await settled(begun)).toEqual([1, 3]);
    end(3);
    await last;
  });

  test('are given back by a work that fails', async () => {
    const turns = new Turns(1);
    await expect(turns.take(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');
    await expect(turns.take(async () => 'next', never)).resolves.toBe('next');
  });
});

/** The list after everything that could begin has begun. */
async function settled<T>(list: T[]): Promise<T[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return [...list];
}
