import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { byteRange, fileHeaders } from './file-headers.js';

const artifact = {
  id: 'i',
  sha256: 'ab',
  bytes: 3,
  name: 'x',
  media_type: null,
  created_at: '2026-01-01T00:00:00Z',
  created_by: 't',
};

describe('headers of a stored file', () => {
  test('the headers of a stored file make it a download, whatever its name and type', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.option(fc.string({ unit: 'binary' })),
        (name, media_type) => {
          const headers = fileHeaders({ ...artifact, name, media_type });
          for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]*$/);
          expect(headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/);
        },
      ),
    );
  });

  test.each([
    ['text/plain', 'text/plain'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['text/html\r\nx: y', 'application/octet-stream'],
    [null, 'application/octet-stream'],
  ])('the media type %j is sent as %s', (media_type, type) => {
    expect(fileHeaders({ ...artifact, media_type })['content-type']).toBe(type);
  });
});

describe('the requested range of a file', () => {
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
  ])('the range header %s for ten bytes means %j', (header, range) => {
    expect(byteRange(header, 10)).toEqual(range && { start: range[0], end: range[1] });
  });

  test('a range never exceeds the bytes of the file', () => {
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
