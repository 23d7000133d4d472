import { ApiError } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { refreshOf } from './refresh.js';

const failed = (code: ApiError['code']) => new ApiError({ code, detail: '' }, null);
const known = (data: string | undefined, error: unknown = null) => ({ state: { data, error } });

describe('a response', () => {
  test('a response is refreshed at the interval of the screen', () => {
    expect(refreshOf(2_000)(known('here'))).toBe(2_000);
    expect(refreshOf(false)(known('here'))).toBe(false);
    expect(refreshOf((data) => (data === 'over' ? false : 2_000))(known('over'))).toBe(false);
  });

  test.each(['unavailable', 'rate_limited'] as const)(
    'a request that failed temporarily is repeated on any screen: %s',
    (code) => {
      expect(refreshOf(false)(known(undefined, failed(code)))).toBe(5_000);
      expect(refreshOf(false)(known('old', failed(code)))).toBe(5_000);
    },
  );

  test('a rejected request is not repeated', () => {
    expect(refreshOf(2_000)(known(undefined, failed('not_found')))).toBe(false);
    expect(refreshOf(2_000)(known(undefined, new Error('a bug')))).toBe(false);
  });

  test('a known response stays fresh though one refresh failed', () => {
    expect(refreshOf(2_000)(known('old', failed('internal')))).toBe(2_000);
  });
});
