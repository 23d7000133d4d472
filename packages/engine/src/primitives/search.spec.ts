import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { globMatcher } from './search.js';

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['?.md', 'ü.md', true],
  ['[a-c]?', 'b1', true],
  ['[!a-c]?', 'b1', false],
  ['[]x]', ']', true],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['[open', '[open', true],
  ['a.b', 'axb', false],
  ['*', 'a\nb', true],
])('the glob %s matches the name %s: %s', (glob, name, fits) => {
  expect(globMatcher(glob)(name)).toBe(fits);
});

test('a name with every character escaped fits itself alone', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string(), (name, other) => {
      const glob = [...name].map((character) => `\\${character}`).join('');
      expect(globMatcher(glob)(name)).toBe(true);
      expect(globMatcher(glob)(other)).toBe(name === other);
    }),
  );
});
