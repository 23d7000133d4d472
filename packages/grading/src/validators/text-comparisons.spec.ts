import { describe, expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

describe('exact_match', () => {
  test.each([
    ['a', 'a', 'pass'],
    ['a\n', 'a', 'fail'],
    ['A', 'a', 'fail'],
    ['e\u0301', '\u00e9', 'fail'],
  ])('exact_match of %j with %j has the verdict %s', (actual, expected, verdict) => {
    expect(judge('exact_match', { actual, expected })).toMatchObject({ verdict });
  });
});

describe('contains', () => {
  test.each([
    ['abc', 'b', null],
    ['abc', '', null],
    ['abc', 'B', 'not_found'],
  ])('the text %j that should contain %j has the reason %s', (actual, expected, reason) => {
    expect(judge('contains', { actual, expected })).toMatchObject({ reason });
  });
});

describe('not_contains', () => {
  test('not_contains finds the forbidden text, with letters folded only when configured', () => {
    const sorry = { actual: 'so SORRY', expected: 'sorry' };
    expect(judge('not_contains', sorry)).toMatchObject({ verdict: 'pass' });
    expect(judge('not_contains', { ...sorry, config: { case_insensitive: true } })).toMatchObject({
      verdict: 'fail',
      reason: 'forbidden_found',
    });
  });

  test('an empty forbidden text is a pack error, since every text contains it', () => {
    expect(judge('not_contains', { actual: 'a', expected: '' })).toMatchObject({
      outcome: 'pack_error',
      reason: 'empty_expected',
    });
  });
});

describe('starts_with', () => {
  test('starts_with trims the output, never the expected text', () => {
    const config = { trim: true };
    expect(judge('starts_with', { actual: ' \u0085ab', expected: 'a', config })).toMatchObject({
      verdict: 'pass',
    });
    expect(judge('starts_with', { actual: 'ab', expected: ' a', config })).toMatchObject({
      reason: 'not_found',
    });
  });

  test('starts_with folds both sides when configured', () => {
    const config = { case_insensitive: true };
    expect(judge('starts_with', { actual: 'Straße 1', expected: 'STRASSE', config })).toMatchObject({
      verdict: 'pass',
    });
  });
});

describe('ends_with', () => {
  test.each([
    ['the end.\n', { trim: true }, null],
    ['the end.\n', {}, 'not_found'],
    ['THE END.', { case_insensitive: true }, null],
    ['end. more', {}, 'not_found'],
  ])('ends_with of %j with %j and the expected "end." has the reason %s', (actual, config, reason) => {
    expect(judge('ends_with', { actual, expected: 'end.', config })).toMatchObject({ reason });
  });
});

describe('regex_match', () => {
  test.each([
    ['status 200', '\\d{3}', null],
    ['a\nb', '(?s)a.b', null],
    ['x\nabc', '(?m)^abc$', null],
    ['x\nabc', '^abc$', 'not_found'],
    ['日本', '^\\p{Han}+$', null],
    ['x', '', null],
  ])('regex_match of %j with %j has the reason %s', (actual, expected, reason) => {
    expect(judge('regex_match', { actual, expected })).toMatchObject({ reason });
  });

  test.each(['(?=a)', '\\1', '(', 'a{1001}'])('the pattern %s is not RE2', (expected) => {
    expect(judge('regex_match', { actual: 'a', expected })).toMatchObject({
      outcome: 'pack_error',
      reason: 'invalid_regex',
    });
  });
});

describe('boolean_assert', () => {
  test.each([
    [' Yes\n', '1', null],
    ['TRUE', 'yes', null],
    ['no', 'false', null],
    ['0', 'true', 'not_equal'],
    ['y', 'true', 'unparsable_output'],
    ['true.', 'true', 'unparsable_output'],
  ])('boolean_assert of %j with %j has the reason %s', (actual, expected, reason) => {
    expect(judge('boolean_assert', { actual, expected })).toMatchObject({ reason });
  });
});

describe('normalized_match', () => {
  test.each([
    [['strip_punctuation'], 'a.b+c!', 'abc'],
    [['strip_currency'], '€5 USD', '5 '],
    [['strip_formatting'], '[1,(2)]', '12'],
    [['normalize_unicode'], 'ﬁ①', 'fi1'],
    [['remove_articles', 'collapse_whitespace', 'trim'], 'the cat an a theory', 'cat theory'],
    [['remove_articles'], 'éa', 'é '],
    [['sort_words'], 'b  a\tc', 'a b c'],
    [['sort_lines'], 'b\na\r\nc', 'a\nb\nc'],
    [['sort_words'], '\u{10000} \uffff', '\uffff \u{10000}'],
    [['lowercase', 'trim'], ' ẞ ', 'ss'],
  ])('the pipeline %j turns %j into %j', (pipeline, actual, expected) => {
    expect(judge('normalized_match', { actual, expected, config: { pipeline } })).toMatchObject({
      verdict: 'pass',
    });
  });

  test('the steps of the pipeline run in their written order', () => {
    const text = { actual: 'The fox', expected: 'fox' };
    const articlesFirst = { pipeline: ['remove_articles', 'lowercase', 'trim'] };
    const lowercaseFirst = { pipeline: ['lowercase', 'remove_articles', 'trim'] };
    expect(judge('normalized_match', { ...text, config: articlesFirst })).toMatchObject({
      verdict: 'fail',
    });
    expect(judge('normalized_match', { ...text, config: lowercaseFirst })).toMatchObject({
      verdict: 'pass',
    });
  });
});

describe('length_range', () => {
  test.each([
    ['characters', '🦊é', 2],
    ['words', ' a\u3000b\n', 2],
    ['lines', 'a', 1],
    ['lines', 'a\n', 1],
    ['lines', 'a\nb', 2],
    ['lines', 'a\r\nb\r\n', 2],
    ['lines', '\n\n', 2],
  ])('the length in %s of %j is %i', (unit, actual, length) => {
    expect(judge('length_range', { actual, config: { unit, min: length, max: length } })).toMatchObject({
      verdict: 'pass',
    });
    expect(judge('length_range', { actual, config: { unit, min: length + 1 } })).toMatchObject({
      reason: 'out_of_range',
    });
  });

  test('an empty output passes only where `min: 0` is written', () => {
    expect(judge('length_range', { actual: '', config: { min: 0, max: 5 } })).toMatchObject({
      verdict: 'pass',
    });
    expect(judge('length_range', { actual: '', config: { max: 5 } })).toMatchObject({
      reason: 'empty_output',
    });
  });
});
