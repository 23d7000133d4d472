import { describe, expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

describe('fuzzy_match', () => {
  test.each([
    ['hello world', 'hello worle', {}, 21 / 22],
    ['🦊', '🐼', {}, 1 / 2],
    ['', '', {}, 1],
    ['ABC', 'abc', { case_insensitive: true }, 1],
    [' a  b ', 'a b', { normalize: true }, 1],
    ['a', 'b', { relative_to: 'longest' }, 0],
    ['kitten', 'sitting', { relative_to: 'longest' }, 4 / 7],
    ['', 'abc', { relative_to: 'longest' }, 0],
    ['', '', { relative_to: 'longest' }, 1],
  ])('fuzzy_match of %j with %j and %j has the score %d', (actual, expected, config, score) => {
    expect(judge('fuzzy_match', { actual, expected, config }).score).toBeCloseTo(score, 12);
  });

  test('the threshold is inclusive and forgives rounding', () => {
    const text = { actual: 'abc', expected: 'xyz' };
    expect(judge('fuzzy_match', { ...text, config: { threshold: 0.5 } })).toMatchObject({
      verdict: 'pass',
    });
    expect(judge('fuzzy_match', { ...text, config: { threshold: 0.51 } })).toMatchObject({
      verdict: 'fail',
      score: 0.5,
      reason: 'below_threshold',
    });
  });
});

describe('token_f1', () => {
  test.each([
    ['a b', 'b a', {}, 1],
    ['a a b', 'a b b', {}, 2 / 3],
    ['The Cat!', 'cat', { normalize: true, remove_punctuation: true, remove_articles: true }, 1],
    ['The Cat', 'cat', { remove_articles: true }, 0],
    ['...', 'a', { remove_punctuation: true }, 0],
    ['...', '!', { remove_punctuation: true }, 1],
  ])('token_f1 of %j with %j and %j has the score %d', (actual, expected, config, score) => {
    expect(judge('token_f1', { actual, expected, config }).score).toBeCloseTo(score, 12);
  });
});

describe('bleu_score', () => {
  test.each([
    ['the cat sat', '["a dog ran","the cat sat"]', {}, 1],
    ['the the the', '["the cat","the the dog"]', { max_ngram: 1 }, 2 / 3],
    ['a b', 'a b c d', { max_ngram: 1 }, Math.exp(-1)],
    ['a b c', '["a b","a b c d"]', { max_ngram: 1 }, 1],
    ['a b c d', 'a x c y', { smoothing: 'method1', max_ngram: 2 }, Math.sqrt((1 / 2) * (1 / 4))],
    ['x y', 'a b', { smoothing: 'method1' }, 0],
    [' ', '', {}, 1],
    [' ', '["","a"]', {}, 0],
    ['A  b', 'a B', { case_insensitive: true, normalize: true }, 1],
  ])('bleu_score of %j with %j and %j has the score %d', (actual, expected, config, score) => {
    expect(judge('bleu_score', { actual, expected, config }).score).toBeCloseTo(score, 12);
  });

  /** As sentence_bleu of NLTK 3.8 scores them, with equal weights for the orders that the candidate has. */
  test.each([
    [
      'sat ran the cat cat dog',
      '["on the cat ran ran cat on cat ran"]',
      [0.06227190212960362, 0.19692104496063725, 0.11708995388048027],
    ],
    [
      'cat cat the on a ran',
      '["a dog mat on sat on cat mat","a dog a mat cat cat ran sat dog"]',
      [0.07778610913323007, 0.245981275183433, 0.1462613413027904],
    ],
    [
      'mat sat on ran',
      '["cat sat a ran mat sat ran mat","dog ran on sat cat sat sat"]',
      [0.09544239437038682, 0.25379544718731684, 0.17946048174042403],
    ],
    ['on the a sat', '["the sat ran dog dog","the a ran"]', [0.1880301546543197, 0.5, 0.3535533905932738]],
    [
      'the mat',
      '["ran dog the a dog","cat a the"]',
      [0.13562437855552414, 0.3032653298563167, 0.3032653298563167],
    ],
  ])('the bleu_score of %s with %s is smoothed as NLTK does', (actual, expected, scores) => {
    for (const [index, smoothing] of ['nltk_method1', 'method2', 'method3'].entries()) {
      const { score } = judge('bleu_score', { actual, expected, config: { smoothing } });
      expect(score).toBeCloseTo(scores[index] ?? Number.NaN, 12);
    }
  });

  test.each([
    ['The cat, sat.', 'the cat , sat .', { tokenizer: '13a', case_insensitive: true, max_ngram: 1 }, 1],
    ['The cat, sat.', 'the cat sat', { tokenizer: 'rouge' }, 1],
    ['The cat, sat.', 'The cat sat', { max_ngram: 1 }, 1 / 3],
  ])('the texts %j and %j are split as %j configures', (actual, expected, config, score) => {
    expect(judge('bleu_score', { actual, expected, config }).score).toBeCloseTo(score, 12);
  });

  test('punctuation that becomes tokens counts towards the limit, for the side that has it', () => {
    const config = { tokenizer: '13a' };
    const long = '!'.repeat(50_001);
    expect(judge('bleu_score', { actual: long, expected: 'a', config })).toMatchObject({
      outcome: 'evaluator_error',
      reason: 'input_too_large',
    });
    expect(judge('bleu_score', { actual: 'a', expected: long, config })).toMatchObject({
      outcome: 'pack_error',
      reason: 'input_too_large',
    });
  });
});

describe('rouge_score', () => {
  test.each([
    ['the cat sat on the mat', 'the cat slept on the rug', {}, 4 / 6],
    ['b a', 'a b', {}, 1 / 2],
    ['b a', 'a b', { variant: 'rouge-1' }, 1],
    ['a b c', 'a b d', { variant: 'rouge-2' }, 1 / 2],
    ['a b', 'a', { beta: 2 }, (5 * 0.5) / (4 * 0.5 + 1)],
    ['a b c', '["x y","a b c"]', {}, 1],
    ['', '', {}, 0],
    ['The cat sat.', 'the cat sat', {}, 1 / 3],
    ['The Cat sat.', 'the cat sat', { tokenizer: 'rouge' }, 1],
    ['It runs-on, now', 'it runs on!', { tokenizer: 'rouge' }, 6 / 7],
    ['the cats were running', 'the cat was run', { tokenizer: 'rouge', stemmer: true }, 3 / 4],
    ['the cats were running', 'the cat was run', { tokenizer: 'rouge' }, 1 / 4],
    ['!?', '...', { tokenizer: 'rouge' }, 0],
  ])('rouge_score of %j with %j and %j has the score %d', (actual, expected, config, score) => {
    expect(judge('rouge_score', { actual, expected, config }).score).toBeCloseTo(score, 12);
  });
});

describe('chrf_score', () => {
  test.each([
    ['a b c', 'abc', {}, 1],
    ['abcabc', 'abcabc', { char_order: 10 }, 1],
    ['ab', 'ac', { char_order: 1 }, 1 / 2],
    ['ab', 'ac', { char_order: 2 }, 1 / 4],
    ['AB', 'ab', { case_insensitive: true }, 1],
    ['ab', '["xy","ab"]', {}, 1],
    [' ', '', {}, 1],
    [' ', 'a', {}, 0],
  ])('chrf_score of %j with %j and %j has the score %d', (actual, expected, config, score) => {
    expect(judge('chrf_score', { actual, expected, config }).score).toBe(score);
  });
});
