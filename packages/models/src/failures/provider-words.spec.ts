import { describe, expect, test } from '@jest/globals';
import { wordsOfBody } from './provider-words.js';

describe('the words of a refusal', () => {
  test.each([
    ['OpenAI', { error: { message: 'm', type: 't', param: null, code: 'c' } }, { code: 'c', message: 'm' }],
    [
      'OpenAI without a code',
      { error: { message: 'm', type: 't', code: null } },
      { code: 't', message: 'm' },
    ],
    ['Anthropic', { type: 'error', error: { type: 't', message: 'm' } }, { code: 't', message: 'm' }],
    ['Google', [{ error: { code: 400, message: 'm', status: 'S' } }], { code: '400', message: 'm' }],
    ['Mistral', { object: 'error', message: 'm', type: 't', code: '3051' }, { code: '3051', message: 'm' }],
    ['xAI', { code: 'c', error: 'm' }, { code: 'c', message: 'm' }],
    ['a bare detail', { detail: 'm' }, { message: 'm' }],
    ['nothing known', { a: 1 }, {}],
  ])('are read as %s sends them', (_who, body, words) => {
    expect(wordsOfBody(JSON.stringify(body))).toEqual(words);
  });

  test('are plain text when that is all there is, and never HTML', () => {
    expect(wordsOfBody('Too busy')).toEqual({ message: 'Too busy' });
    expect(wordsOfBody('\n<!doctype html><p>billing</p>')).toEqual({});
    expect(wordsOfBody(' ')).toEqual({});
  });
});
