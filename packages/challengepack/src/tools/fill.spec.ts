import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../json.js';
import { fillPlaceholders, PlaceholderError } from './fill.js';
import { mapOpaque, type OpaqueJson, OpaqueText } from './opaque-text.js';
import { secretKeysOf } from './placeholder.js';

const reveal = (filled: OpaqueJson, secrets: Record<string, string> = {}) =>
  mapOpaque(filled, (text) => text.reveal((key) => secrets[key] ?? ''));

describe('filling a template', () => {
  test('a secret passes through several tools unopened and is encoded at its final place', () => {
    const inner = fillPlaceholders({ token: 'k=${secrets.K}' }, {}) as { token: OpaqueText };
    const outer = fillPlaceholders(
      { url: 'https://x.example/?t=${query:token}', body: '${json:parameters}', plain: '${token}' },
      inner,
    );
    expect(reveal(outer, { K: 'a "b"&' })).toEqual({
      url: 'https://x.example/?t=k%3Da+%22b%22%26',
      body: '{"token":"k=a \\"b\\"&"}',
      plain: 'k=a "b"&',
    });
  });

  test('an opaque text shows a mark, never a value', () => {
    const filled = fillPlaceholders('Bearer ${secrets.K}', {});
    expect(JSON.stringify({ filled })).toBe('{"filled":"Bearer [redacted:K]"}');
    expect(`${filled}`).toBe('Bearer [redacted:K]');
  });

  test('a member named __proto__ is a member', () => {
    const args: JsonObject = JSON.parse('{"__proto__": 3}');
    expect(fillPlaceholders('${__proto__}', args)).toBe(3);
    expect(() => fillPlaceholders('${__proto__}', {})).toThrow(PlaceholderError);
    const template: JsonObject = JSON.parse('{"__proto__": "${a}"}');
    expect(JSON.stringify(fillPlaceholders(template, { a: 1 }))).toBe('{"__proto__":1}');
  });

  test('secrets are found in every encoding, but not behind an escape', () => {
    expect(secretKeysOf('${secrets.A} ${query:secrets.B} $${secrets.C}')).toEqual(['A', 'B']);
  });

  test('filling an escaped text restores the text, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'${}a') }), (text) => {
        // A text would be taken for a pattern in which `$$` is one dollar.
        expect(
          fillPlaceholders(
            text.replaceAll('${', () => '$${'),
            {},
          ),
        ).toBe(text);
      }),
    );
  });

  test('an inserted value is never scanned again', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(fillPlaceholders('<${a}>', { a: text })).toBe(`<${text}>`);
      }),
    );
  });
});
