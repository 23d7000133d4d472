import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findText } from './text-match.js';

describe('a text within a payload', () => {
  test('the first string that has it is found, with the text around it', () => {
    const payload = {
      call_id: 'x',
      messages: [{ role: 'user', content: 'An APOLOGY now' }, { content: 'apology' }],
    };
    expect(findText(payload, 'apology')).toEqual({
      before: 'An ',
      match: 'APOLOGY',
      after: ' now',
    });
  });

  test('names of members, numbers and absent texts are no match', () => {
    expect(findText({ text: 12, other: [null, true], apology: '' }, 'apology')).toBeUndefined();
    expect(findText({ text: 'ab' }, '12')).toBeUndefined();
  });

  test('at most 80 characters are shown on each side, and no half of a pair', () => {
    const found = findText({ text: `${'😀'.repeat(60)}abcd${'😀'.repeat(60)}x` }, 'bcd');
    expect(found?.before).toBe(`${'😀'.repeat(39)}a`);
    expect(found?.after).toBe('😀'.repeat(40));
  });

  test('a value that is nested deeply and has many parts there is searched', () => {
    const leaves: unknown = [...Array(100_000).fill('x'), 'needle'];
    const nested = Array.from({ length: 5_000 }).reduce((value) => [value], leaves);
    expect(findText(nested, 'needle')?.match).toBe('needle');
  });

  test('every text is found in a string that has it, whatever its characters', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, (before, wanted, after) => {
        const found = findText([{ text: before + wanted + after }], wanted);
        expect(found?.match.length).toBe(wanted.length);
      }),
    );
  });
});
