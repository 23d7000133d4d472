import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRedactor } from './redactor.js';
import { Secret } from './secret.js';

const KEY = 'sk-live-4f9aB/+z=Q';
const redactor = createRedactor([{ key: 'API_KEY', value: KEY }]);

describe('a redactor', () => {
  test('a redactor replaces longer values first, wherever shorter ones begin', () => {
    const both = createRedactor([
      { key: 'SHORT', value: 'abcd' },
      { key: 'LONG', value: 'bcdefg' },
    ]);
    expect(both.text('abcdefg abcd')).toBe('a[redacted:LONG] [redacted:SHORT]');
  });

  test('a redactor names equal values by the first key', () => {
    const same = createRedactor([
      { key: 'B', value: 'value-1' },
      { key: 'A', value: 'value-1' },
    ]);
    expect(same.text('value-1')).toBe('[redacted:A]');
  });

  test('a redactor orders equally long values by key', () => {
    const crossing = createRedactor([
      { key: 'B', value: 'xyab' },
      { key: 'A', value: 'abcd' },
    ]);
    expect(crossing.text('xyabcd')).toBe('xy[redacted:A]');
  });

  test('a redactor leaves marks alone, but not values that merely touch one', () => {
    const odd = createRedactor([
      { key: 'K', value: 'redacted' },
      { key: 'L', value: 'x[redacted' },
    ]);
    expect(odd.text('[redacted:K] [redacted] redacted')).toBe('[redacted:K] [redacted] [redacted:K]');
    expect(odd.text('x[redacted:K]')).toBe('[redacted:L]:K]');
  });

  test('a redactor accepts secrets that cannot be printed', () => {
    expect(createRedactor([new Secret('K', 'value-1')]).text('a value-1')).toBe('a [redacted:K]');
  });

  test('a redactor changes nothing without values', () => {
    const none = createRedactor([]);
    expect([none.text('a'), none.stream().push('a'), none.json({ a: [1] })]).toEqual(['a', 'a', { a: [1] }]);
  });

  test('a redactor redacts strings, keys and numbers of a JSON value and keeps its shape', () => {
    const pin = createRedactor([
      { key: 'PIN', value: '48151623' },
      { key: 'TOKEN', value: 'tok-1' },
    ]);
    const value = {
      'a tok-1': [{ x: 'tok-1!', n: 48151623, m: 4815, t: true, u: null }],
      ['__proto__']: 'tok-1',
    };
    expect(pin.json(value)).toEqual({
      'a [redacted:TOKEN]': [{ x: '[redacted:TOKEN]!', n: '[redacted:PIN]', m: 4815, t: true, u: null }],
      ['__proto__']: '[redacted:TOKEN]',
    });
    expect(value['a tok-1']?.[0]).toMatchObject({ x: 'tok-1!' });
  });

  test('a redactor redacts data that is not text byte by byte', () => {
    const accents = createRedactor([{ key: 'PW', value: 'pässwörd☕' }]);
    const noise = Buffer.from([0xff, 0x00, 0xc3]);
    const data = Buffer.concat([noise, Buffer.from('pässwörd☕'), noise]);
    expect(Buffer.from(accents.bytes(data))).toEqual(
      Buffer.concat([noise, Buffer.from('[redacted:PW]'), noise]),
    );
    expect(accents.bytes(noise)).toBe(noise);
  });

  test('a redactor finds spellings that are ambiguous', () => {
    const odd = createRedactor([{ key: 'K', value: 'a%41\\ +"' }]);
    for (const spelling of [
      'a%41\\ +"',
      'a%2541\\\\++\\"',
      '%61%25\\u00341%5C%20%2B%22',
      'a%41\\\\\\u0020\\u002b\\"',
    ]) {
      expect(odd.text(`<${spelling}>`)).toBe('<[redacted:K]>');
    }
  });

  test('a redactor finds the characters of base64 that the value alone decides, with and without shared ones', () => {
    // The value fills neither its first nor its last group: `X` and the last `Q` hold bits of adjacent bytes, too.
    const base64 = Buffer.from(`u${KEY}`).toString('base64');
    expect(base64).toBe('dXNrLWxpdmUtNGY5YUIvK3o9UQ==');
    expect(redactor.text(base64)).toBe('d[redacted:API_KEY]');
    expect(redactor.text(base64.slice(2, -3))).toBe('[redacted:API_KEY]');
    expect(redactor.text(`!${base64.slice(2, -3)}!`)).toBe('![redacted:API_KEY]!');
    expect(redactor.text(`dQ${base64.slice(2, -3)}z==`)).toBe('dQ[redacted:API_KEY]z==');
    expect(redactor.text(base64.replace('UQ==', 'UQ==='))).toBe('d[redacted:API_KEY]=');
  });

  describe('encodings', () => {
    const PLAIN = `p<w>&"'${KEY}`;
    const plain = createRedactor([{ key: 'PW', value: PLAIN }]);
    const bytes = Buffer.from(PLAIN);
    const pairs = bytes.toString('hex').match(/../g) ?? [];
    const wrapped = (width: number, by: string) =>
      (bytes.toString('base64').match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(by);
    const utf16 = Buffer.from(PLAIN, 'utf16le');
    test.each([
      [
        'with named HTML entities',
        PLAIN.replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;')
          .replaceAll("'", '&#039;'),
      ],
      ['as decimal HTML entities', [...PLAIN].map((unit) => `&#${unit.charCodeAt(0)};`).join('')],
      [
        'as hexadecimal HTML entities',
        [...PLAIN].map((unit) => `&#X${unit.charCodeAt(0).toString(16)};`).join(''),
      ],
      ['as \\xHH', pairs.map((pair) => `\\x${pair.toUpperCase()}`).join('')],
      ['in base64 lines of MIME', wrapped(8, '\r\n')],
      ['in base64 lines of an indented block', wrapped(10, '\n    ')],
      ['in spaced hex', pairs.join(' ')],
      ['in hex with colons', pairs.join(':').toUpperCase()],
      ['in UTF-16 of little endian', utf16.toString('latin1')],
      ['in UTF-16 of big endian', Buffer.from(utf16).swap16().toString('latin1')],
    ])('a redactor finds a value written %s', (_how, spelling) => {
      expect(plain.text(`before ${spelling} after`)).toMatch(/^before \[redacted:PW\][=\0]* after$/);
      const data = Buffer.from(`\xff${spelling}\xfe`, 'latin1');
      expect(Buffer.from(plain.bytes(data)).toString('latin1')).toMatch(/^\xff\[redacted:PW\]=*\xfe$/);
    });

    test('a redactor finds a value written in UTF-16 with characters beyond ASCII', () => {
      const accents = createRedactor([{ key: 'PW', value: 'pässwörd☕' }]);
      for (const data of [
        Buffer.from('pässwörd☕', 'utf16le'),
        Buffer.from('pässwörd☕', 'utf16le').swap16(),
      ]) {
        expect(Buffer.from(accents.bytes(data)).toString('latin1')).toBe('[redacted:PW]');
      }
    });
  });

  test('a redactor does not search encoded patterns under 6 characters', () => {
    const short = createRedactor([{ key: 'K', value: 'wxyz' }]);
    const base64 = Buffer.from('wxyz').toString('base64');
    expect(short.text(`wxyz 7778797a ${base64}`)).toBe(`[redacted:K] [redacted:K] ${base64}`);
  });
});

/** Any spelling of a value that the guarantee covers, in the middle of other text. */
const spelled = fc.oneof(
  mixed(KEY),
  fc.constantFrom(Buffer.from(KEY).toString('hex'), Buffer.from(KEY).toString('hex').toUpperCase()),
  fc
    .record({
      before: fc.uint8Array({ maxLength: 7 }),
      after: fc.uint8Array({ maxLength: 7 }),
      isUrl: fc.boolean(),
    })
    .map(({ before, after, isUrl }) =>
      Buffer.concat([before, Buffer.from(KEY), after]).toString(isUrl ? 'base64url' : 'base64'),
    ),
);

function mixed(value: string) {
  return fc
    .array(fc.nat(2), { minLength: value.length, maxLength: value.length })
    .map((choices) => [...value].map((unit, index) => spell(unit, choices[index] ?? 0)).join(''));
}

function spell(unit: string, choice: number): string {
  const code = unit.charCodeAt(0).toString(16);
  return [unit, `%${code.padStart(2, '0')}`, `\\u${code.padStart(4, '0').toUpperCase()}`][choice] ?? unit;
}

/** Text in which values occur whole, in parts and not at all. */
const text = fc
  .array(
    fc.oneof(
      spelled,
      fc.tuple(spelled, fc.nat(40)).map(([whole, length]) => whole.slice(0, length)),
      fc.string({ unit: fc.constantFrom(...'sk-live+/=%\\u00[redct:API_KEY] ') }),
      fc.string({ unit: 'binary' }),
      fc.nat(260).map((length) => 'e0'.repeat(length)),
      fc.constantFrom('[redacted:API_KEY]', '[redacted'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const cuts = fc.array(fc.nat(400), { maxLength: 12 });

function cut(whole: string, at: number[]): string[] {
  const offsets = [...at].filter((offset) => offset < whole.length).sort((a, b) => a - b);
  return [0, ...offsets].map((offset, index) => whole.slice(offset, offsets[index] ?? whole.length));
}

const several = createRedactor([
  { key: 'API_KEY', value: KEY },
  { key: 'PART', value: 'live-4f9a' },
  { key: 'LOOP', value: 'eeee' },
  { key: 'LONG_LOOP', value: 'e0'.repeat(100) },
  { key: 'Z', value: '/redacted' },
]);

describe('for any text', () => {
  test('every spelling of a value is replaced', () => {
    fc.assert(
      fc.property(spelled, (spelling) => {
        const output = redactor.text(`<${spelling}>`);
        expect(output).toContain('[redacted:API_KEY]');
        const left = output.replaceAll('[redacted:API_KEY]', '');
        for (const decoded of [left, Buffer.from(left, 'base64').toString('latin1')]) {
          expect(decoded).not.toContain(KEY.slice(2, -2));
        }
      }),
    );
  });

  test('the output of the redactor does not depend on the cuts of its input', () => {
    fc.assert(
      fc.property(text, cuts, (whole, at) => {
        for (const one of [redactor, several]) {
          const stream = one.stream();
          const output = cut(whole, at).map((piece) => stream.push(piece));
          expect([...output, stream.end()].join('')).toBe(one.text(whole));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a second redaction changes nothing more', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const once = redactor.text(whole);
        expect(redactor.text(once)).toBe(once);
      }),
    );
  });

  test('a stream holds back no more text than could still become a value', () => {
    const stream = redactor.stream();
    expect(stream.push('no value here; sk-li')).toBe('no value here; ');
    expect(stream.push('on ')).toBe('sk-lion ');
  });
});

describe('time', () => {
  test('the time of a redaction is proportional to the text when a value repeats itself', () => {
    const loop = createRedactor([{ key: 'LOOP', value: 'a'.repeat(20_000) }]);
    const near = `${'a'.repeat(19_999)}b`;
    expect(loop.text(near.repeat(50))).toBe('[redacted:LOOP]b'.repeat(50));
    expect(loop.text(`${'a'.repeat(50)}b`)).toBe(`${'a'.repeat(50)}b`);
    expect(loop.text('a'.repeat(20_000))).toBe('[redacted:LOOP]');
  });

  test('a text of nothing but values is redacted value by value', () => {
    const loop = createRedactor([{ key: 'L', value: 'aaaa' }]);
    expect(loop.text('a'.repeat(200_002))).toBe(`${'[redacted:L]'.repeat(50_000)}aa`);
  });
});
