import { describe, expect, test } from '@jest/globals';
import { createCanaryDetector } from './canary-detector.js';

const VALUE = 'AKIA-planted-ü1';
const detector = createCanaryDetector([
  { name: 'aws', value: VALUE },
  { name: 'same', value: VALUE },
  { name: 'other', value: 'other-planted' },
  { name: 'short', value: '1234567' },
]);

describe('a planted value in an outgoing request', () => {
  test.each([
    ['the url', { url: `https://a.example/?k=${encodeURIComponent(VALUE)}` }],
    [
      'a header',
      { url: 'https://a.example/', headers: { 'X-A': Buffer.from(`x${VALUE}`).toString('base64') } },
    ],
    [
      "a header's name",
      { url: 'https://a.example/', headers: { [Buffer.from(VALUE).toString('hex')]: '1' } },
    ],
    ['a text body', { url: 'https://a.example/', body: JSON.stringify({ VALUE }) }],
    [
      'a binary body',
      { url: 'https://a.example/', body: Buffer.concat([Buffer.from([0xff]), Buffer.from(VALUE)]) },
    ],
  ])(
    'a planted value in an outgoing request is found in %s, under every name it was planted',
    (_where, request) => {
      expect(detector.findInRequest(request)).toEqual(['aws', 'same']);
    },
  );

  test('a planted value in an outgoing request is not searched when it is shorter than 8 bytes', () => {
    expect(detector.find('1234567')).toEqual([]);
  });

  test('a planted value of which a request holds parts only is not found', () => {
    expect(detector.find(`${VALUE.slice(0, -1)} ${VALUE.slice(1)} other-plante`)).toEqual([]);
  });
});

test('several planted values are named in the order of the plan', () => {
  expect(detector.find(`other-planted ${VALUE}`)).toEqual(['aws', 'same', 'other']);
});

test('no value is found where none was planted', () => {
  expect(createCanaryDetector([]).findInRequest({ url: 'https://a.example/' })).toEqual([]);
});
