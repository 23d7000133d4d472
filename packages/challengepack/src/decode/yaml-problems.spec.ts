import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPack } from '../read/read-pack.js';
import { EXAMPLE } from '../testing/example-pack.js';

/** The only problem of a text, as `line:column message`. */
function problemOf(text: string): string {
  const { problems } = readPack(text);
  const [problem] = problems;
  if (problem === undefined || problems.length > 1) throw new Error(`${problems.length} problems`);
  expect(problem.code).toBe('yaml_syntax');
  return `${problem.line}:${problem.column} ${problem.message}`;
}

describe('a syntax error is described in terms of the document', () => {
  test.each([
    ['pack:\n  slug: a\n   name: b\n', /^3:4 this line is indented by 3 spaces, the one above by 2/],
    ['a: b: c\n', /^1:4 a second ": " in one line/],
    ['instructions: Reply: now\n', /^1:15 a second ": " in one line: put the text .* in quotes$/],
    ['pack: x\n  slug: a\n', /^2:3 this line is indented by 2 spaces, the one above by 0/],
    ['pack:\n\tslug: a\n', /^2:1 a tab in the indentation/],
    [
      'pack:\n    slug: a\n  name: b\n',
      /^3:3 the keys of one map begin in the same column: this line is indented by 2 spaces, the one above by 4/,
    ],
    ['a: "abc\nb: c\n', /^1:4 this quote " is not closed$/],
    ["a: 'abc\nb: c\n", /^1:4 this quote ' is not closed$/],
    ['a: [1, [2]\nb: c\n', /^1:4 this \[ is not closed with \]$/],
    ['a: {x: 1\nb: c\n', /^1:4 this { is not closed with }$/],
    ['a: {x: 1 y: 2}\n', /^1:8 inside { } and \[ \] entries are separated by commas/],
    ['a: @b\n', /^1:4 a text cannot begin with @: put it in quotes$/],
    ['a: `b`\n', /^1:4 a text cannot begin with `/],
    ['a:\n  - b\n - c\n', /^3:2 the "- " of one list are in the same column/],
    ['a:b\nc: d\n', /^1:1 a colon needs a blank behind it: a: …$/],
    ['pack\n  slug: a\n', /^1:1 pack is neither "key: value" nor "- item"/],
    ['pack:\n  slug a\n  name: b\n', /^2:3 slug a is neither/],
    ['a: **bold**\n', /^1:4 there is no anchor .* has to be in quotes$/],
    ['a: !b c\n', /^1:7 the tag !b does not fit here; a text that begins with !/],
    ['a: & b\n', /^1:4 a text cannot begin with & or \*/],
    ['a: "x" y\n', /^1:8 text behind a closed quote/],
    ['a: {{x}} y\n', /^1:10 a value that begins with \{ is a map/],
    ['a: "\\d"\n', /^1:5 \\d is no escape inside double quotes: use single quotes, or write \\\\d$/],
    ['a: ]\n', /^1:4 nothing is open that this \] could close$/],
    ['a: "x"#c\n', /^1:7 a comment needs a blank before its #$/],
    ['a: |x\n  y\n', /^1:5 behind \| or > the line ends/],
    ['a: |\n  x\n y\nb: c\n', /^3:2 a text behind \| or > keeps at least the indentation/],
    ['a:\n  - b\n  c: d\n', /^3:3 a list and keys cannot be mixed at one level/],
  ])('the syntax error in %j is described in terms of the document', (text, problem) => {
    expect(problemOf(text)).toEqual(expect.stringMatching(problem));
  });

  test('a syntax error in a whole pack is reported at the line that was changed', () => {
    const lines = EXAMPLE.split('\n');
    const at = lines.findIndex((line) => line.includes('version_number'));
    lines[at] = ` ${lines[at]}`;
    expect(problemOf(lines.join('\n'))).toEqual(
      expect.stringMatching(new RegExp(`^${at + 1}:6 this line is indented by 5 spaces, the one above by 4`)),
    );
  });
});

test('the place of every problem is inside the text, whatever is cut out of a pack', () => {
  fc.assert(
    fc.property(
      fc.nat(EXAMPLE.length),
      fc.nat(30),
      fc.constantFrom('', ' ', '\t', '"', '{', ': '),
      (from, length, put) => {
        const text = EXAMPLE.slice(0, from) + put + EXAMPLE.slice(from + length);
        const lines = text.split('\n');
        for (const { line, column } of readPack(text).problems) {
          expect(lines.length).toBeGreaterThanOrEqual(line);
          expect((lines[line - 1] ?? '').length + 1).toBeGreaterThanOrEqual(column);
        }
      },
    ),
    { numRuns: 300 },
  );
});
