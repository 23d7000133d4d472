import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { capturedFile, nameOf } from './read-files.js';

const read = (payload: Record<string, unknown>) => capturedFile({ payload, sequence_number: 7 });
const kept = { key: 'a', path: '/workspace/a.py', exists: true, bytes: 6, truncated: false };

describe('a captured file', () => {
  test('a captured file has its path, its size and its text', () => {
    expect(read({ ...kept, content: 'x = 1\n' })).toEqual({
      ...{ event: 7, path: '/workspace/a.py', bytes: 6 },
      content: { is: 'text', text: 'x = 1\n', isBeginning: false },
    });
  });

  test.each([
    ['absent', { exists: false, content: null }],
    ['binary', { content: null }],
    ['binary', { content: 'GIF\0' }],
    ['binary', { content: '\uFFFD'.repeat(10) }],
    // The end of a text may be cut within a character.
    ['text', { content: 'gr\uFFFD', truncated: true }],
  ])('a captured file is %s with %j', (is, more) => {
    expect(read({ ...kept, ...more }).content.is).toBe(is);
  });

  test('a file that is too large for a list of events is read from the payload of its event', () => {
    const payload = { $ref: `sha256:${'0'.repeat(64)}`, bytes: 5_000_000 };
    expect(read(payload)).toMatchObject({ bytes: null, content: { is: 'stored' } });
  });

  test('any payload is read without an error', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (payload) => {
        expect(read(payload).event).toBe(7);
      }),
    );
  });

  test('the name of a file has no folders', () => {
    expect(['a/b.py', 'b.py', '', 'a/'].map(nameOf)).toEqual(['b.py', 'b.py', 'file', 'file']);
  });
});
