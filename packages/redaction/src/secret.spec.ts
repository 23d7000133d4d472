import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Secret } from './secret.js';

describe('a secret', () => {
  const secret = new Secret('API_KEY', 'sk-live-1', ['*.example.com']);

  test('a secret gives its value only to reveal', () => {
    expect(secret.reveal()).toBe('sk-live-1');
  });

  test.each([
    ['a template', `${secret}`],
    ['a string', String(secret)],
    ['concatenation', `${'x'}${secret}`],
    ['JSON', JSON.stringify({ secret })],
    ['inspect', inspect({ secret }, { depth: 9, showHidden: true })],
    ['an error', new Error(`failed with ${secret}`).message],
    ['its own properties', JSON.stringify({ ...secret })],
    ['a structured clone', inspect(structuredClone({ ...secret }))],
  ])('a secret never shows its value in %s', (_where, text) => {
    expect(text).not.toContain('sk-live-1');
    expect(text).toContain('API_KEY');
  });
});
