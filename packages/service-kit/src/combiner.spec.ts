import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Combiner } from './combiner.js';

/** Notes what goes together, and answers each item with its double. */
function doubling(options: { itemsMax: number; keyOf?: (item: number) => string }) {
  const batches: number[][] = [];
  const combiner = new Combiner<number, number>(async (items) => {
    batches.push([...items]);
    if (items.includes(13)) throw new Error('thirteen');
    return items.map((item) => item * 2);
  }, options);
  return { combiner, batches };
}

describe('a combiner', () => {
  test('does at once what is asked in the same turn, and answers each with its own', async () => {
    const { combiner, batches } = doubling({ itemsMax: 10 });
    expect(await Promise.all([1, 2, 3].map((item) => combiner.add(item)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  test('gathers what is asked while it works', async () => {
    let release = (): void => {};
    const batches: number[][] = [];
    const combiner = new Combiner<number, number>(
      async (items) => {
        batches.push([...items]);
        if (batches.length === 1) await new Promise<void>((resolve) => (release = resolve));
        return items;
      },
      { itemsMax: 10 },
    );
    const first = combiner.add(1);
    await new Promise(setImmediate);
    const rest = [2, 3, 4].map((item) => combiner.add(item));
    release();
    await Promise.all([first, ...rest]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  test('keeps apart what has another key', async () => {
    const { combiner, batches } = doubling({ itemsMax: 10, keyOf: (item) => String(item % 2) });
    await Promise.all([1, 2, 3, 4].map((item) => combiner.add(item)));
    expect(batches).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  test('fails alone the one that fails', async () => {
    const { combiner } = doubling({ itemsMax: 10 });
    const results = await Promise.allSettled([1, 13, 3].map((item) => combiner.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('fails all at once when the failure is nobody’s own', async () => {
    let works = 0;
    const combiner = new Combiner<number, number>(
      async () => {
        works += 1;
        throw new Error('away');
      },
      { itemsMax: 10, failsAlike: () => true },
    );
    const results = await Promise.allSettled([1, 2, 3].map((item) => combiner.add(item)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(works).toBe(1);
  });

  test('puts no more together than it may weigh, but a heavy one goes alone', async () => {
    const batches: number[][] = [];
    const combiner = new Combiner<number, number>(
      async (items) => {
        batches.push([...items]);
        return items;
      },
      { itemsMax: 10, weight: { of: (item) => item, max: 10 } },
    );
    await Promise.all([4, 4, 4, 50, 1, 9, 1].map((item) => combiner.add(item)));
    expect(batches).toEqual([[4, 4], [4], [50], [1, 9], [1]]);
  });

  test('answers everything once, in batches of at most its size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 14 })),
        fc.integer({ min: 1, max: 5 }),
        async (items, itemsMax) => {
          const { combiner, batches } = doubling({ itemsMax });
          expect(await Promise.all(items.map((item) => combiner.add(item)))).toEqual(
            items.map((item) => item * 2),
          );
          expect(batches.flat()).toEqual(items);
          expect(batches.every(({ length }) => length <= itemsMax)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });
});
