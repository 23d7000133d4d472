import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { divergenceIn, divergenceText } from './replay-difference.js';

const excerpt = fc.option(
  fc.string().map((text) => JSON.stringify(text)),
  { nil: undefined },
);

test('The sentence on a divergence is read back to its call, path and both excerpts, whatever they hold', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.stringMatching(/^[a-z]+(\[\d\])?(\.[a-z]+)?$/),
      excerpt,
      excerpt,
      (call, path, expected, found) => {
        const divergence = { call, path, expected, found };
        expect(divergenceIn(divergenceText(divergence))).toEqual(divergence);
      },
    ),
  );
  const tricky = { call: 2, path: 'a', expected: '": expected \\"x\\", found \\"y\\""', found: '"z\\\\"' };
  expect(divergenceIn(divergenceText(tricky))).toEqual(tricky);
});

test('Another message of a divergence has no parts', () => {
  expect(divergenceIn('the recorded attempt made 3 model calls, and this attempt makes a further one')).toBe(
    undefined,
  );
  expect(divergenceIn(divergenceText({ call: 1, path: 'a', expected: '"x', found: '"y"' }))).toBe(undefined);
});
