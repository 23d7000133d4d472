import { describe, expect, test } from '@jest/globals';
import { CONTAINED, GAINS, GAINS_WITH_HISTORY, GAINS_WITH_PACKAGES, NAIVE_PACKS } from '../testing/proofs.js';
import { CHEAT_FAMILIES, CHEATS } from './cheats.js';

const proven = { ...GAINS_WITH_PACKAGES, ...GAINS_WITH_HISTORY, ...GAINS };

describe('the table of cheats', () => {
  test('There are at least 60 cheats, and no two have the same key.', () => {
    expect(CHEATS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(CHEATS.map(({ key }) => key)).size).toBe(CHEATS.length);
  });

  test('Every cheat has a naive pack on which it gains, or attacks sandboxes only and has the reason for it.', () => {
    const keys = CHEATS.map(({ key }) => key);
    const shown = [...Object.keys(proven), ...Object.keys(CONTAINED)];
    expect(new Set(shown)).toEqual(new Set(keys));
    expect(Object.keys(CONTAINED).filter((key) => key in proven)).toEqual([]);
  });

  test('Every naive pack is one on which a cheat gains.', () => {
    const used = new Set(Object.values(GAINS).flat());
    expect(Object.keys(NAIVE_PACKS).filter((key) => !used.has(key))).toEqual([]);
  });

  test('Every title and every fix is a sentence.', () => {
    const texts = [
      ...CHEATS.flatMap(({ title, fix }) => [title, fix]),
      ...CHEAT_FAMILIES.map(({ fix }) => fix),
    ];
    for (const text of texts) expect(text).toMatch(/^[A-Z].*\.$/s);
  });
});
