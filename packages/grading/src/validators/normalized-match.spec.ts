import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

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
])('after %j, %j is %j', (pipeline, actual, expected) => {
  expect(judge('normalized_match', { actual, expected, config: { pipeline } })).toMatchObject({
    verdict: 'pass',
  });
});

test('the steps run in the order written', () => {
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
