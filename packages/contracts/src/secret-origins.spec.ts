import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { originsOf, readOrigin, SecretHost } from './secret-origins.js';

describe('an origin that a secret is bound to', () => {
  test.each([
    ['api.example.com', 'https://api.example.com:443'],
    ['API.Example.com', 'https://api.example.com:443'],
    ['*.example.com', 'https://*.example.com:443'],
    ['https://api.example.com', 'https://api.example.com:443'],
    ['https://api.example.com:8443', 'https://api.example.com:8443'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://localhost', 'http://localhost:80'],
    ['::1', 'https://[::1]:443'],
    ['[::1]', 'https://[::1]:443'],
    ['http://[::1]:11434', 'http://[::1]:11434'],
    ['http://api?.internal:9000', 'http://api?.internal:9000'],
  ])('the origin %s is read as %s', (text, pattern) => {
    expect(readOrigin(text)).toEqual({ pattern });
    expect(SecretHost.safeParse(text).success).toBe(true);
  });

  test.each([
    ['https://api.example.com/v1', 'no path'],
    ['https://api.example.com/', 'no path'],
    ['https://user@api.example.com', 'no user'],
    ['ftp://api.example.com', 'must begin with https:// or http://'],
    ['api.example.com:8443', 'https://api.example.com:8443'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['https://api.example.com:0', 'from 1 to 65535'],
    ['https://api.example.com:65536', 'from 1 to 65535'],
    ['https://api.example.com:', 'must be a host'],
    ['*', 'choose "any"'],
    ['https://*', 'choose "any"'],
    ['*.*', 'choose "any"'],
    ['?*', 'choose "any"'],
    ['127.1', 'write 127.0.0.1'],
    ['0:0:0:0:0:0:0:1', 'write ::1'],
    ['api.example.com.', 'write api.example.com'],
    ['256.256.256.256', 'is no host'],
    ['a b', 'must be a host'],
    ['bücher.example', 'must be a host'],
    ['', 'must be a host'],
    ['https://', 'must be a host'],
    ['a\nb', 'must be a host'],
  ])('the text %j is refused as an origin', (text, message) => {
    const { error } = SecretHost.safeParse(text);
    expect(error?.issues[0]?.message).toContain(message);
  });

  test('an origin always has a scheme and a port, and is read again as itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.string(), (host, rest) => {
        for (const text of [host, rest, `https://${host}`, `http://${host}:1${rest.length}`]) {
          const read = readOrigin(text);
          if ('problem' in read) continue;
          expect(read.pattern).toMatch(/^https?:\/\/[^/@\s]+:\d{1,5}$/);
          expect(readOrigin(read.pattern)).toEqual(read);
        }
      }),
    );
  });
});

describe('the origins of a stored secret', () => {
  test.each([
    ['origin', ['a.test', 'http://b.test:81'], ['https://a.test:443', 'http://b.test:81']],
    ['origin', [], []],
    ['any', [], null],
    ['unbound', [], null],
    ['host', ['A.test', '::1'], ['*://a.test:*', '*://[::1]:*']],
  ] as const)('the origins of a secret bound to %s %j are %j', (binding, hosts, origins) => {
    expect(originsOf({ binding, hosts })).toEqual(origins);
  });

  test('the origins of an earlier vault, which bound to hosts alone, keep their meaning', () => {
    expect(originsOf({ hosts: ['a.test'] })).toEqual(['*://a.test:*']);
    expect(originsOf({ hosts: [] })).toBeNull();
  });
});
