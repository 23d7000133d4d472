import { describe, expect, test } from '@jest/globals';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { isUnderWay } from './use-mutation-once.js';

describe('a change', () => {
  const sent = (queries: QueryClient, key: string, mutationFn: () => Promise<unknown>) =>
    new MutationObserver(queries, { mutationKey: [key], mutationFn, gcTime: 0 }).mutate();

  test('a change is pending from the tick in which it is sent until its response', async () => {
    const queries = new QueryClient();
    expect(isUnderWay(queries, ['publish'])).toBe(false);
    const sending = sent(queries, 'publish', async () => 'done');
    expect(isUnderWay(queries, ['publish'])).toBe(true);
    expect(isUnderWay(queries, ['delete'])).toBe(false);
    await sending;
    expect(isUnderWay(queries, ['publish'])).toBe(false);
  });

  test('a change that has failed can be sent again', async () => {
    const queries = new QueryClient();
    await sent(queries, 'publish', () => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(isUnderWay(queries, ['publish'])).toBe(false);
  });
});
