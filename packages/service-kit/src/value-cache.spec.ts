import { describe, expect, test } from '@jest/globals';
import { ValueCache } from './value-cache.js';

describe('a cache of values', () => {
  const reads: string[] = [];
  const read = (key: string) => async () => {
    reads.push(key);
    return key.toUpperCase();
  };

  test('cached values are read once, also by many at the same time', async () => {
    const recent = new ValueCache<string>(2);
    expect(await Promise.all([1, 2, 3].map(() => recent.get('a', read('a'))))).toEqual(['A', 'A', 'A']);
    expect(reads.splice(0)).toEqual(['a']);
  });

  test('the cache holds its maximum: the value unused for longest is read again', async () => {
    const recent = new ValueCache<string>(2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await recent.get(key, read(key));
    expect(reads.splice(0)).toEqual(['a', 'b', 'c', 'b']);
  });

  test('the cache holds null like any other value', async () => {
    const recent = new ValueCache<string | null>(2);
    let count = 0;
    const readNull = async () => {
      count += 1;
      return null;
    };
    expect([await recent.get('a', readNull), await recent.get('a', readNull)]).toEqual([null, null]);
    expect(count).toBe(1);
  });

  test('failures are not cached: a failed read is repeated', async () => {
    const recent = new ValueCache<string>(2);
    const fail = async () => Promise.reject(new Error('away'));
    await expect(recent.get('a', fail)).rejects.toThrow('away');
    expect(await recent.get('a', read('a'))).toBe('A');
  });
});
