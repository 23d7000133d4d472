import { describe, expect, test } from '@jest/globals';
import { CommandError } from '../command-error.js';
import { expiryOf } from './token.js';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('the expiry of a token', () => {
  test.each([
    ['12h', '2026-03-02T00:00:00.000Z'],
    ['30d', '2026-03-31T12:00:00.000Z'],
    ['2w', '2026-03-15T12:00:00.000Z'],
    ['2026-04-01', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01T10:00:00+02:00', '2026-04-01T08:00:00.000Z'],
  ])('the expiry %s is read as %s', (text, moment) => {
    expect(expiryOf(text, now)).toBe(moment);
  });

  test.each(['soon', '2026-02-28', '0d'])('the expiry %s is refused', (text) => {
    expect(() => expiryOf(text, now)).toThrow(CommandError);
  });
});
