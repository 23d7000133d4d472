import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JSON_DEPTH_MAX, readJson } from './exact-json.js';
import { ExactNumber, withDoubles } from './exact-number.js';
import { equalityKey, jsonEquals, jsonText } from './json-text.js';

describe('readJson', () => {
  test('readJson reads every text that JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(withDoubles(value(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each(['NaN', '[1,]', "{'a':1}", '01', '1 2', '', '\u00a01', '"\t"', '{"a":1,}'])(
    'readJson refuses %j',
    (text) => {
      expect(readJson(text).ok).toBe(false);
    },
  );

  test('readJson keeps numbers that no double holds, and escapes beside them', () => {
    const read = value('{"n": [9007199254740993, 1e400, 0.1], "s": "\\u00e9\\"]}", "n2": 2}');
    expect(read).toEqual({ n: [expect.any(ExactNumber), expect.any(ExactNumber), 0.1], s: 'é"]}', n2: 2 });
  });

  test('the last of duplicate keys counts, also beside exact numbers', () => {
    expect(value('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(jsonText(value('{"a":1e400,"a":2}'))).toBe('{"a":2}');
  });

  test('a member named __proto__ is a member', () => {
    expect(Object.keys(value('{"__proto__":9007199254740993}') as object)).toEqual(['__proto__']);
  });

  test('readJson refuses nesting past its limit instead of running out of stack', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJson(nested(JSON_DEPTH_MAX)).ok).toBe(true);
    expect(readJson(nested(JSON_DEPTH_MAX + 1)).ok).toBe(false);
    expect(readJson(nested(1_000_000)).ok).toBe(false);
    expect(readJson(`["${'['.repeat(1000)}"]`).ok).toBe(true);
  });
});

describe('equality', () => {
  test.each([
    ['1', '1.0', true],
    ['1', '10e-1', true],
    ['-0', '0', true],
    ['9007199254740993', '9007199254740992', false],
    ['9007199254740993', '9007199254740993.0', true],
    ['1e400', '10e399', true],
    ['1', 'true', false],
    ['1', '"1"', false],
    ['null', '[]', false],
    ['{"a":1,"b":[2]}', '{"b":[2.0],"a":1}', true],
    ['{"a":null}', '{}', false],
    ['[1,2]', '[2,1]', false],
  ])('the value %s equals %s: %s', (a, b, equal) => {
    expect(jsonEquals(value(a), value(b))).toBe(equal);
  });

  test('two values have one key exactly when they are deep-equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const normal = (json: unknown) => JSON.stringify(json).replaceAll('-0', '0');
        expect(equalityKey(a)).toBe(equalityKey(structuredClone(a)));
        if (normal(a) !== normal(b)) return;
        expect(equalityKey(a)).toBe(equalityKey(b));
      }),
    );
  });
});

test('the text of a value is canonical JSON', () => {
  expect(jsonText({ b: 1e21, a: [1.5, -0, 'é\n'], '\u{1f600}': null, '\ufb00': true })).toBe(
    '{"a":[1.5,0,"é\\n"],"b":1e+21,"😀":null,"ﬀ":true}',
  );
});

function value(text: string): unknown {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(`no JSON: ${text}`);
  return reading.value;
}
