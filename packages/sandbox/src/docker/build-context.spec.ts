import { expect, test } from '@jest/globals';
import { ignoring } from './build-context.js';

test.each([
  ['node_modules', 'node_modules/a/b', true],
  ['node_modules', 'src/node_modules/a', false],
  ['**/node_modules', 'src/node_modules/a', true],
  ['*.log', 'a.log', true],
  ['*.log', 'logs/a.log', false],
  ['/build/', 'build/x', true],
  ['a?c', 'abc', true],
  ['[ab].txt', 'b.txt', true],
  ['# comment\n\n', 'comment', false],
  ['docs\n!docs/kept.md', 'docs/kept.md', false],
  ['docs\n!docs/kept.md', 'docs/other.md', true],
  ['a.b', 'axb', false],
])('with .dockerignore %j the file %s is left out: %s', (text, name, isOut) => {
  expect(ignoring(text)(name)).toBe(isOut);
});
