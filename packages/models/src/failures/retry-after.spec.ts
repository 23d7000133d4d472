import { describe, expect, test } from '@jest/globals';
import { retryAfterMs } from './retry-after.js';

const NOW = Date.UTC(2026, 0, 1);

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['12', 12_000],
    [' 1.5 ', 1_500],
    ['0.0001', 1],
    ['9'.repeat(400), 86_400_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('the Retry-After %j is %i ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });

  test.each(['', '-1', 'soon', '12 apples', '2026-01-01', 'Infinity', null, undefined])(
    'the Retry-After %j is ignored',
    (header) => {
      expect(retryAfterMs(header, NOW)).toBeUndefined();
    },
  );
});
