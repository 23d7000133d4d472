import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KeptBytes } from './kept-bytes.js';

describe('The kept output of a command', () => {
  const length = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 4_000, max: 9_000 }));
  const most = fc.constantFrom(0, 1, 7, 5_000, Number.POSITIVE_INFINITY);

  test('The kept output is the end of what was added, in chunks of whatever length', () => {
    fc.assert(
      fc.property(fc.array(length, { maxLength: 40 }), most, (lengths, limit) => {
        const kept = new KeptBytes(limit);
        const chunks = lengths.map((bytes, index) => Buffer.alloc(bytes, index + 1));
        for (const chunk of chunks) kept.add(chunk);
        const all = Buffer.concat(chunks);
        const expected = all.subarray(Math.max(0, all.length - limit));
        expect(kept.bytes.equals(expected)).toBe(true);
      }),
    );
  });

  test('A chunk that its sender changes later is kept as it was', () => {
    const kept = new KeptBytes();
    const chunk = Buffer.from('abc');
    kept.add(chunk);
    chunk.fill('x');
    expect(kept.bytes.toString()).toBe('abc');
  });

  test('Single bytes are kept in pages, not one by one', () => {
    const kept = new KeptBytes();
    for (let at = 0; at < 100_000; at += 1) kept.add(Buffer.of(at % 256));
    expect(kept.bytes).toHaveLength(100_000);
    expect(kept.pieces).toBeLessThan(30);
  });
});
