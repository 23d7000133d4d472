import { describe, expect, test } from '@jest/globals';
import { REPLY_BYTES_MAX, readTogether, sentTogether } from './history.service.js';

const counts = (...numbers: number[]) => numbers.map((eventCount) => ({ eventCount }));
const half = [{ payload: 'x'.repeat(REPLY_BYTES_MAX / 2 + 1) }];

describe('a page of evidence', () => {
  test('a page of evidence holds all attempts that together are small', () => {
    expect(readTogether(counts(10, 20, 30))).toBe(3);
    expect(sentTogether([[{ payload: {} }], []])).toBe(2);
  });

  test('a page of evidence ends before the attempt that makes it too large', () => {
    expect(readTogether(counts(300, 200, 1))).toBe(2);
    expect(sentTogether([half, half, []])).toBe(1);
  });

  test('a page of evidence counts whole events, of which short payloads are a small part', () => {
    const short = Array.from({ length: 10_000 }, (_, index) => ({
      ...{ event_id: '0'.repeat(36), attempt_id: '0'.repeat(36), sequence_number: index },
      payload: {},
    }));
    expect(sentTogether([short, short, []])).toBe(1);
  });

  test('a page of evidence holds at least one attempt, however large', () => {
    expect(readTogether(counts(10_000, 1))).toBe(1);
    expect(sentTogether([[...half, ...half]])).toBe(1);
  });
});
