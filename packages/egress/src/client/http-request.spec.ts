import { describe, expect, test } from '@jest/globals';
import { outcomeOf } from '../testing/vectors/http.js';
import { checkHttpRequest } from './http-request.js';

describe('a request before it is sent', () => {
  test.each(['get', 'Get', 'GET'])('the method of a request is sent in upper case, given as %s', (method) => {
    expect(checkHttpRequest({ method }).method).toBe('GET');
  });

  test.each(['GET', 'HEAD'])('a request has no body with %s', (method) => {
    expect(outcomeOf({ method, body: 'x' })).toEqual({ error: 'body_not_allowed' });
    expect(checkHttpRequest({ method, body: '' }).body).toBeUndefined();
  });

  test('a request has a body of up to 1 MiB, counted in bytes', () => {
    expect(checkHttpRequest({ method: 'POST', body: 'é'.repeat(2 ** 19) }).body).toHaveLength(2 ** 20);
    expect(outcomeOf({ method: 'POST', body: `${'é'.repeat(2 ** 19)}x` })).toEqual({
      error: 'body_too_large',
    });
  });

  test('a request has up to 64 headers of 16 KiB together', () => {
    const headers = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`X-${index}`, '1']));
    expect(checkHttpRequest({ method: 'GET', headers }).headers).toHaveLength(64);
    expect(outcomeOf({ method: 'GET', headers: { ...headers, More: '1' } })).toEqual({
      error: 'headers_too_large',
    });
    expect(outcomeOf({ method: 'GET', headers: { A: 'a'.repeat(16 * 1024 - 1) } })).toMatchObject({
      method: 'GET',
    });
    expect(outcomeOf({ method: 'GET', headers: { A: 'a'.repeat(16 * 1024) } })).toEqual({
      error: 'headers_too_large',
    });
  });

  test('a request to a model provider may have a larger body, but no other method or header', () => {
    const body = new Uint8Array(2 ** 20 + 1);
    expect(checkHttpRequest({ method: 'POST', body, timeoutMs: 600_000 }, 'operator')).toMatchObject({
      body,
      timeoutMs: 600_000,
    });
    expect(() => checkHttpRequest({ method: 'TRACE' }, 'operator')).toThrow('method_not_allowed');
    expect(() => checkHttpRequest({ method: 'GET', headers: { host: 'x' } }, 'operator')).toThrow(
      'header_not_allowed',
    );
  });
});
