import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { byteRange } from './byte-range.js';

describe('the range that a request asks for', () => {
  test.each<[string | undefined, [number, number] | undefined]>([
    ['bytes=0-0', [0, 0]],
    ['bytes=2-', [2, 9]],
    ['bytes=-3', [7, 9]],
    ['bytes=-99', [0, 9]],
    ['bytes=5-99', [5, 9]],
    ['bytes=10-', undefined],
    ['bytes=-0', undefined],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-1', undefined],
    [undefined, undefined],
  ])('%s of ten bytes is %j', (header, range) => {
    expect(byteRange(header, 10)).toEqual(range && { start: range[0], end: range[1] });
  });

  test('never reaches outside the bytes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.nat()), fc.option(fc.nat()), (bytes, first, last) => {
        const range = byteRange(`bytes=${first ?? ''}-${last ?? ''}`, bytes);
        if (range === undefined) return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(bytes);
      }),
    );
  });
});
