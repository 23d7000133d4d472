import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RowDocuments } from './row-documents.js';

/** Short ones, and some of about the size of a block. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: 20_000, max: 70_000 }).map((length) => 'é'.repeat(length)),
);

describe('The documents of rows', () => {
  test('each is found at its position, in any order', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), fc.infiniteStream(fc.nat(29)), (texts, drawn) => {
        const documents = new RowDocuments();
        const positions = texts.map((each) => documents.add(each));
        const order = [...positions.keys(), ...[...drawn.take(30)].filter((at) => at < texts.length)];
        for (const at of order) {
          const position = positions[at];
          expect(position && documents.at(position)).toBe(texts[at]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a position that was not given is an error', () => {
    const documents = new RowDocuments();
    documents.add('one');
    expect(() => documents.at({ block: 0, index: 1 })).toThrow(RangeError);
    expect(() => documents.at({ block: 3, index: 0 })).toThrow(RangeError);
  });
});
