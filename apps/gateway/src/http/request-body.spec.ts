import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isJson, isPackType, readJson } from './request-body.js';

describe('a JSON body', () => {
  test('a JSON body is parsed as JSON.parse does, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        const text = JSON.stringify(value);
        expect(readJson(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('brackets inside texts do not count as nesting', () => {
    const text = '['.repeat(1_000);
    expect(readJson(Buffer.from(JSON.stringify([text, `\\"${text}`])))).toEqual([text, `\\"${text}`]);
  });

  test.each([
    ['what is no JSON', Buffer.from('{a: 1}')],
    ['what is no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['65 levels', Buffer.from('['.repeat(65) + ']'.repeat(65))],
    ['very many levels that never close', Buffer.from('[{"a":'.repeat(100_000))],
  ])('a body with %s is refused', (_what, bytes) => {
    expect(() => readJson(bytes)).toThrow(expect.objectContaining({ code: 'unreadable' }));
  });
});

test.each([
  ['application/json', true, true],
  ['Application/JSON; charset=utf-8', true, true],
  ['application/vnd.api+json', true, false],
  ['application/yaml', false, true],
  ['text/plain;charset=utf-8', false, true],
  ['text/yaml', false, true],
  ['application/x-yaml', false, true],
  ['text/x-yaml', false, true],
  ['text/html', false, false],
  ['multipart/form-data; boundary=application/json', false, false],
  [undefined, false, false],
])('the media type %s is JSON: %s, a pack: %s', (type, json, pack) => {
  expect([isJson(type), isPackType(type)]).toEqual([json, pack]);
});
