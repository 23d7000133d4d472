import { expect, test } from '@jest/globals';
import { ignoring } from './ignore-patterns.js';

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
  ['**/x', 'x', true],
  ['**/x', 'a/bx', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b/c', true],
  ['a/**', 'a/x/y', true],
  ['**', 'a/b', true],
  ['[!ab]c', 'xc', true],
  ['[^ab]c', 'ac', false],
  ['[a-c]x', 'bx', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['./a//b/', 'a/b', true],
  ['**/**/x', 'a/b/x', true],
  ['a**b', 'a/x/b', true],
])('with .dockerignore %j the file %s is left out: %s', (text, name, isOut) => {
  expect(ignoring(text)(name)).toBe(isOut);
});

test('a pattern that many parts of a path may match takes no longer for it', () => {
  const isOut = ignoring(`${'*a'.repeat(40)}*b\n${'**/a'.repeat(40)}/b`);
  const name = `${'a/'.repeat(100)}${'a'.repeat(150)}`;
  const startedAt = process.cpuUsage();
  expect(isOut(name)).toBe(false);
  expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
});

test.each(['[z-a]', 'a\n[9-0]x'])('the pattern %j is refused as that of an image, by its line', (text) => {
  expect(() => ignoring(text)).toThrow(
    expect.objectContaining({ code: 'invalid_image', message: expect.stringContaining('of .dockerignore') }),
  );
});

test('a file of very many patterns is refused', () => {
  expect(() => ignoring('a\n'.repeat(20_000))).toThrow('.dockerignore has more than 16384 characters');
});
