import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparedSentence, firstDifference } from './compared.js';

const side = (text: string) => ({ text });

describe('a sentence of expected and actual', () => {
  test.each([
    ['numeric_match', '6', '3', 'expected 6, got 3'],
    ['exact_match', 'Lima', 'Lima ', 'expected Lima, got "Lima "'],
    ['contains', 'a b', '', 'expected text that contains "a b", got ""'],
    ['not_contains', 'sorry', 'I am sorry', 'expected text without sorry, got "I am sorry"'],
    ['regex_match', '^ok$', 'no', 'expected a match of /^ok$/, got no'],
    ['regex_match', '\\b9 May\\b', 'no', 'expected a match of /\\b9 May\\b/, got no'],
    ['exact_match', '3', '4\n', 'expected 3, got 4'],
    ['exact_match', '3\r\n', '4', 'expected 3, got 4'],
    ['contains', '3\n', '4\n', 'expected text that contains 3, got 4'],
    ['number_range', 'at least 1 and at most 5', '7', 'expected at least 1 and at most 5, got 7'],
    ['file_exists', 'a file', '(no such file)', 'expected a file, got (no such file)'],
    ['of_a_later_release', '1', '2', 'expected 1, got 2'],
  ])('expected and actual are written as one sentence: %s', (type, expected, actual, sentence) => {
    expect(comparedSentence(type, { expected: side(expected), actual: side(actual) })).toBe(sentence);
  });

  test('the sentence states where expected or actual was absent', () => {
    expect(comparedSentence('exact_match', { expected: side('6'), actual: null })).toBe(
      'expected 6, got nothing',
    );
    expect(comparedSentence('exact_match', { expected: null, actual: side('6') })).toBe('got 6');
  });

  test('a text that is long, has several lines, or is only a part has no sentence', () => {
    for (const long of [
      side('x'.repeat(81)),
      side('a\nb'),
      side('a\n\n'),
      { text: 'x', from: 4, length: 5 },
    ]) {
      expect(comparedSentence('exact_match', { expected: side('6'), actual: long })).toBeUndefined();
    }
  });

  test('two texts that differ by their last line break have no sentence, since it would not show that', () => {
    expect(comparedSentence('exact_match', { expected: side('6'), actual: side('6\n') })).toBeUndefined();
  });

  test('texts are equal before their first difference, and differ there', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (shared, left, right) => {
        const [a, b] = [shared + left, shared + right];
        const at = firstDifference(a, b);
        expect(a.slice(0, at)).toBe(b.slice(0, at));
        expect(at === Math.min(a.length, b.length) || a[at] !== b[at]).toBe(true);
      }),
    );
  });
});
