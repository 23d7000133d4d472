import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileRegex, regexProblem } from './regex.js';

test.each([
  ['a(?!b)', 'RE2 has no look-ahead: (?! at character 2'],
  ['(?=x)', 'RE2 has no look-ahead: (?= at character 1'],
  ['x(?<!a)b', 'RE2 has no look-behind: (?<! at character 2'],
  ['(a)\\1', 'RE2 has no back-references: \\1 at character 4'],
  ['(?>a)', 'RE2 has no atomic groups: (?> at character 1'],
  ['a++', 'RE2 has no possessive repetition: ++ at character 2'],
  ['end\\Z', 'RE2 has no \\Z: write \\z for the end of the text: \\Z at character 4'],
  ['ab[cd', 'missing closing ]: [ at character 3'],
  ['(a)(b', 'missing closing ): ( at character 4'],
  ['[(](\\(', 'missing closing ): ( at character 4'],
  ['ä*a{2,1}', 'invalid repeat count: {2,1} at character 4'],
  ['a\\', 'trailing backslash at end of expression'],
  ['[z-a]', 'invalid character class range: z-a at character 2'],
  [`x{9999999999${'9'.repeat(100)}}`, expect.stringMatching(/^invalid repeat count: .{41} at character 2$/)],
])('the problem of %s is named with its part and position', (pattern, problem) => {
  expect(regexProblem(pattern)).toEqual(problem);
});

test('an expression has a problem exactly when it does not compile', () => {
  const pattern = fc.string({ unit: fc.constantFrom(...'ab()[]{}?+*\\<!=:1^$|.,-Z'), maxLength: 12 });
  fc.assert(
    fc.property(pattern, (text) => {
      expect(regexProblem(text) === null).toBe(compileRegex(text) !== null);
    }),
  );
});
