import { describe, expect, test } from '@jest/globals';
import { acceptedCoding } from './accepted-coding.js';

describe('how a file is packed', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', null],
    ['identity', null],
    ['br;q=nonsense', null],
    [undefined, null],
  ])('%s takes %s', (header, coding) => {
    expect(acceptedCoding(header, ['br', 'gzip'])).toBe(coding);
  });

  test('what is not there is not offered', () => {
    expect(acceptedCoding('br', [])).toBeNull();
  });
});
