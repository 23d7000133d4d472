import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Batcher } from './batcher.js';

/** Records its batches, and returns the double of each item. */
function doubling(options: { itemsMax: number; keyOf?: (item: number) => string }) {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>(async (items) => {
    batches.push([...items]);
    if (items.includes(13)) throw new Error('thirteen');
    return items.map((item) => item * 2);
  }, options);
  return { batcher, batches };
}

describe('a batcher', () => {
  test('a batcher batches the items of the same turn, and returns to each its own result', async () => {
    const { batcher, batches } = doubling({ itemsMax: 10 });
    expect(await Promise.all([1, 2, 3].map((item) => batcher.add(item)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  test('a batcher batches the items that are added while it works', async () => {
    let release = (): void => {};
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        batches.push([...items]);
        if (batches.length === 1) await new Promise<void>((resolve) => (release = resolve));
        return items;
      },
      { itemsMax: 10 },
    );
    const first = batcher.add(1);
    await new Promise(setImmediate);
    const rest = [2, 3, 4].map((item) => batcher.add(item));
    release();
    await Promise.all([first, ...rest]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  test('a batcher puts items with different keys into different batches', async () => {
    const { batcher, batches } = doubling({ itemsMax: 10, keyOf: (item) => String(item % 2) });
    await Promise.all([1, 2, 3, 4].map((item) => batcher.add(item)));
    expect(batches).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  test('a batcher fails only the item that fails alone', async () => {
    const { batcher } = doubling({ itemsMax: 10 });
    const results = await Promise.allSettled([1, 13, 3].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('a batcher fails a whole batch at once for a shared failure', async () => {
    let works = 0;
    const batcher = new Batcher<number, number>(
      async () => {
        works += 1;
        throw new Error('unavailable');
      },
      { itemsMax: 10, isSharedFailure: () => true },
    );
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(works).toBe(1);
  });

  test('a batcher limits the weight of a batch, and runs a heavier item alone', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        batches.push([...items]);
        return items;
      },
      { itemsMax: 10, weight: { of: (item) => item, max: 10 } },
    );
    await Promise.all([4, 4, 4, 50, 1, 9, 1].map((item) => batcher.add(item)));
    expect(batches).toEqual([[4, 4], [4], [50], [1, 9], [1]]);
  });

  test('a batcher returns every result once, in batches of at most its size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 14 })),
        fc.integer({ min: 1, max: 5 }),
        async (items, itemsMax) => {
          const { batcher, batches } = doubling({ itemsMax });
          expect(await Promise.all(items.map((item) => batcher.add(item)))).toEqual(
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
