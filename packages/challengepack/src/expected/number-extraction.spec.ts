import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NumberExtraction } from '../evaluation-spec/validator-configs.js';
import { ofConfig, ofValidator } from '../testing/spec-findings.js';
import { decimalKey, readDecimal } from '../values/decimal.js';
import { readNumber } from './number-extraction.js';

function numberIn(text: string, extract: NumberExtraction, answer_delimiter = '####'): string {
  const reading = readNumber(text, { extract, extract_number: false, answer_delimiter });
  return reading.kind === 'number' ? decimalKey(reading.value) : reading.kind;
}

function keyOf(numeral: string): string {
  const value = readDecimal(numeral);
  if (value === null) throw new Error(`no numeral: ${numeral}`);
  return decimalKey(value);
}

describe('the number of a longer text', () => {
  test.each<[string, NumberExtraction, string]>([
    ['48 + 24 = 72 clips in total.', 'last', '72'],
    ['48 + 24 = 72 clips in total.', 'first', '48'],
    ['48 + 24 = 72 clips in total.', 'only', 'several'],
    ['The result is 42.', 'only', '42'],
    ['It is 42, so **42.0** it is', 'only', '42'],
    ['none at all', 'only', 'none'],
    ['$1,234.50 in USD', 'only', '1234.5'],
    ['₹12,34,567', 'only', '1234567'],
    ['(1,2)', 'only', 'several'],
    ['1,2345', 'first', '1'],
    ['between 10-20', 'last', '20'],
    ['x=-5', 'only', '-5'],
    ['\u22125 °C', 'only', '-5'],
    ['-$5', 'only', '-5'],
    ['gpt4 returns 7', 'only', '7'],
    ['so...42', 'only', '42'],
    ['.5 of it', 'only', '0.5'],
    ['答案是42', 'only', '42'],
    ['about 3e2 of them', 'only', '300'],
    ['45%', 'only', '45'],
    ['two: 1 and 2\n#### 1,200 apples', 'delimiter', '1200'],
    ['#### 1\nno: #### 2', 'delimiter', '2'],
    ['####\n\n 7\nchecked 3 times', 'delimiter', '7'],
    ['#### 7 of 9', 'delimiter', 'several'],
    ['7', 'delimiter', '7'],
    ['7 of 9', 'delimiter', 'several'],
    ['9 ####', 'delimiter', 'none'],
    [`1${'0'.repeat(1000)}`, 'only', 'none'],
  ])('the text %j with extract %s has the number %s', (text, extract, number) => {
    expect(numberIn(text, extract)).toBe(/^[a-z]/.test(number) ? number : keyOf(number));
  });

  test('a single number among words is the only, the first and the last', () => {
    const words = fc.stringMatching(/^[b-df-z ]{0,10}$/);
    const amount = fc.integer({ min: -1e15, max: 1e15 }).map((scaled) => scaled / 1e6);
    fc.assert(
      fc.property(words, amount, words, (before, value, after) => {
        const text = `${before} ${value} ${after}`;
        const expected = keyOf(String(value));
        for (const extract of ['only', 'first', 'last', 'delimiter'] as const) {
          expect(numberIn(text, extract)).toBe(expected);
        }
      }),
    );
  });

  test('thousands separators change nothing, other commas separate numbers', () => {
    const integers = fc.integer({ min: 1000, max: 1e9 });
    fc.assert(
      fc.property(integers, fc.integer({ min: 0, max: 99 }), (large, small) => {
        expect(numberIn(large.toLocaleString('en-US'), 'only')).toBe(keyOf(String(large)));
        expect(numberIn(`${small}, ${large}`, 'last')).toBe(keyOf(String(large)));
      }),
    );
  });

  test('any text is read in linear time, also many spellings of one number', () => {
    expect(numberIn('7 '.repeat(200_000), 'only')).toBe(keyOf('7'));
    expect(numberIn('1,23'.repeat(200_000), 'last')).toBe(keyOf('23'));
    expect(numberIn(`1${',234'.repeat(300_000)}5`, 'last')).toBe(keyOf('2345'));
    expect(numberIn('1'.repeat(1_000_000), 'last')).toBe('none');
  });
});

describe('publishing', () => {
  test('extract: true selects the only number, the old key is deprecated', () => {
    expect(ofConfig('numeric_match', { extract: true })).toEqual([]);
    expect(ofConfig('numeric_match', { extract: false })).toEqual([]);
    expect(ofConfig('numeric_match', { extract_number: true })).toEqual(['extract_number deprecated']);
    expect(ofConfig('number_range', { min: 1, extract_number: true })).toEqual(['extract_number deprecated']);
    expect(ofConfig('number_range', { min: 1, extract_number: false })).toEqual([]);
    expect(ofConfig('numeric_match', { extract: 'last', extract_number: true })).toEqual([
      'extract_number contradiction',
    ]);
    expect(ofConfig('numeric_match', { extract: 'lst' })).toEqual(['extract unknown_value']);
    expect(ofConfig('numeric_match', { extract: 'last', answer_delimiter: '=' })).toEqual([
      'answer_delimiter value_ignored',
    ]);
    expect(ofConfig('numeric_match', { extract: 'delimiter', answer_delimiter: '=' })).toEqual([]);
  });

  test('a literal of several numbers is refused where only one may be', () => {
    const of = (extract: string) =>
      ofValidator({ type: 'numeric_match', expected_from: 'literal:1 or 2', config: { extract } });
    expect(of('only')).toEqual(['expected_from malformed']);
    expect(of('last')).toEqual([]);
  });
});
