import { expect, test } from '@jest/globals';
import { TOKENIZERS } from './tokenizers.js';

test.each([
  ["Hello, Earth! It's 3.14-ish; e.g. 1,000.", "Hello , Earth ! It's 3.14 - ish ; e . g . 1,000 ."],
  ['a &quot;b&quot; &amp;lt; c', 'a " b " < c'],
  ['well-\nknown <skipped>line\nbreak', 'wellknown line break'],
  ['20-25 x-y (z) $5 50%', '20 - 25 x-y ( z ) $ 5 50 %'],
  ['“quoted” – dash', '“quoted” – dash'],
  ['  ', ''],
])('the tokenizer 13a splits %j as sacreBLEU does', (text, tokens) => {
  expect(TOKENIZERS['13a'](text).join(' ')).toBe(tokens);
});

test('the tokenizer of rouge keeps runs of lower-cased ASCII letters and digits', () => {
  expect(TOKENIZERS.rouge("Don't STOP_now: naïve 42%")).toEqual([
    'don',
    't',
    'stop',
    'now',
    'na',
    've',
    '42',
  ]);
});

test('white space alone separates tokens by default', () => {
  expect(TOKENIZERS.whitespace(' A,b\u00a0C ')).toEqual(['A,b', 'C']);
});
