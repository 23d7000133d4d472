import { createRedactor } from '@agentclash/redaction';
import { expect, test } from '@jest/globals';
import { redactHeaders } from './http-request.js';

test('response headers that carry credentials are hidden whole, the others searched for values', () => {
  const redactor = createRedactor([{ key: 'K', value: 'tok-1' }]);
  const headers = {
    'Set-Cookie': 'sid=1',
    'www-authenticate': 'Basic',
    'x-api-key': 'other',
    'x-echo': 'is tok-1',
    'x-tok-1': 'a',
    etag: '"1"',
  };
  expect(redactHeaders(headers, redactor)).toEqual({
    'Set-Cookie': '[redacted]',
    'www-authenticate': '[redacted]',
    'x-api-key': '[redacted]',
    'x-echo': 'is [redacted:K]',
    'x-[redacted:K]': 'a',
    etag: '"1"',
  });
});
