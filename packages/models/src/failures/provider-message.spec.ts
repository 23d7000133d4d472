import { describe, expect, test } from '@jest/globals';
import { messageOfBody } from './provider-message.js';

describe("a provider's error message", () => {
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
  ])('an error message is parsed in the format of %s', (_who, body, message) => {
    expect(messageOfBody(JSON.stringify(body))).toEqual(message);
  });

  test('an error message may be plain text, and is never HTML', () => {
    expect(messageOfBody('Too busy')).toEqual({ message: 'Too busy' });
    expect(messageOfBody('\n<!doctype html><p>billing</p>')).toEqual({});
    expect(messageOfBody(' ')).toEqual({});
  });
});
