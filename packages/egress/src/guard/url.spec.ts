import { describe, expect, test } from '@jest/globals';
import { isOriginAdmitted, readUrl } from './url.js';

const RULES = { ports: undefined, denies: () => false };

function at(address: string) {
  const read = readUrl(address, RULES);
  if (typeof read === 'string') throw new Error(`${address}: ${read}`);
  return read;
}

describe('a secret that is bound to an origin', () => {
  test.each([
    ['https://api.example.com/v1', 'https://api.example.com:443', true],
    ['https://api.example.com:443/', 'https://api.example.com:443', true],
    ['https://api.example.com:8443/', 'https://api.example.com:443', false],
    ['http://api.example.com/', 'https://api.example.com:443', false],
    ['http://api.example.com:443/', 'https://api.example.com:443', false],
    ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080', true],
    ['http://127.0.0.1:8081/x', 'http://127.0.0.1:8080', false],
    ['https://127.0.0.1:8080/x', 'http://127.0.0.1:8080', false],
    ['http://[::1]:11434/', 'http://[::1]:11434', true],
    ['http://[::2]:11434/', 'http://[::1]:11434', false],
    ['http://a.test:99/', '*://a.test:*', true],
    ['https://a.test/', '*://a.test:*', true],
    ['https://b.test/', '*://a.test:*', false],
    ['https://api.example.com/', 'api.example.com', false],
    ['https://api.example.com/', '', false],
  ])('a secret may be sent to %s when it is bound to %s: %s', (address, origin, isAdmitted) => {
    expect(isOriginAdmitted(at(address), ['https://other.test:443', origin])).toBe(isAdmitted);
  });

  test('a secret without any origin is sent nowhere', () => {
    expect(isOriginAdmitted(at('https://api.example.com/'), [])).toBe(false);
  });
});

describe('the host of an origin', () => {
  test.each([
    ['api.example.com', 'API.Example.COM', true],
    ['api.example.com', '*.example.com', true],
    ['a.b.example.com', '*.example.com', true],
    ['example.com', '*.example.com', false],
    ['badexample.com', '*.example.com', false],
    ['api.example.com.evil.test', '*.example.com', false],
    ['api1.example.com', 'api?.example.com', true],
    ['api.example.com', 'api?.example.com', false],
    ['axbxc', 'a*b*c', true],
    ['axbxcx', 'a*b*c', false],
    ['api-example.com', 'api.example.com', false],
  ])('the host %s matches the host of an origin %s: %s', (host, glob, isNamed) => {
    expect(isOriginAdmitted(at(`https://${host}/`), [`https://${glob}:443`])).toBe(isNamed);
  });

  test('a host pattern with many stars takes no exponential time', () => {
    const origin = `https://${'*a'.repeat(120)}b:443`;
    expect(isOriginAdmitted({ ...at('https://a/'), host: 'a'.repeat(250) }, [origin])).toBe(false);
  });
});
