import { expect, test } from '@jest/globals';
import { isHostNamed } from './secret-host.js';

test.each([
  ['api.example.com', 'api.example.com', true],
  ['api.example.com', 'API.Example.COM', true],
  ['api.example.com', '*.example.com', true],
  ['a.b.example.com', '*.example.com', true],
  ['example.com', '*.example.com', false],
  ['badexample.com', '*.example.com', false],
  ['api.example.com.evil.test', '*.example.com', false],
  ['api1.example.com', 'api?.example.com', true],
  ['api.example.com', 'api?.example.com', false],
  ['anything', '*', true],
  ['aXbXc', 'a*b*c', true],
  ['aXbXcX', 'a*b*c', false],
  ['api-example.com', 'api.example.com', false],
  ['127.0.0.1', '127.0.0.1', true],
  ['a', '', false],
])('host %s, glob %s: %s', (host, glob, isNamed) => {
  expect(isHostNamed(host, ['other.test', glob])).toBe(isNamed);
});

test('a host that is bound to nothing goes nowhere', () => {
  expect(isHostNamed('api.example.com', [])).toBe(false);
});

test('many stars take no exponential time', () => {
  expect(isHostNamed('a'.repeat(250), [`${'*a'.repeat(120)}b`])).toBe(false);
});
