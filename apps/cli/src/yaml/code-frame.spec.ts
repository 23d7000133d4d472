import { expect, test } from '@jest/globals';
import { codeFrame } from './problem-line.js';

test('a code frame shows the line with two above it and a caret', () => {
  expect(codeFrame('a:\n  b: 1\n   c: 2\nd: 3', { line: 3, column: 4 })).toBe(
    ['  1 | a:', '  2 |   b: 1', '> 3 |    c: 2', '    |    ^'].join('\n'),
  );
});

test('a code frame expands tabs, pads numbers and escapes control characters', () => {
  const text = `${'x: 1\n'.repeat(9)}\ty: \u001b[31m`;
  expect(codeFrame(text, { line: 10, column: 1 })).toBe(
    ['   8 | x: 1', '   9 | x: 1', '> 10 | →y: \\u001b[31m', '     | ^'].join('\n'),
  );
});

test('a code frame cuts a long line around the position', () => {
  const frame = codeFrame(`${'a'.repeat(500)}!${'b'.repeat(500)}`, { line: 1, column: 501 });
  const [line = '', caret = ''] = frame.split('\n');
  expect(line.length).toBeLessThanOrEqual(106);
  expect(line.charAt(caret.indexOf('^'))).toBe('!');
});

test('the end of the text is a position too', () => {
  expect(codeFrame('a: [1', { line: 1, column: 6 })).toBe('> 1 | a: [1\n    |      ^');
});
