import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sha256Of, sha256OfTexts } from './hash.js';

describe('The hash of many texts', () => {
  test('it is that of their array', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        expect(sha256OfTexts(texts)).toBe(sha256Of(texts));
      }),
    );
  });
});
