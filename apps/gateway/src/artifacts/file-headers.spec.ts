import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileHeaders } from './file-headers.js';

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
  test('are those of a download, whatever its name and type', () => {
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
  ])('say %j as %s', (media_type, type) => {
    expect(fileHeaders({ ...artifact, media_type })['content-type']).toBe(type);
  });
});
