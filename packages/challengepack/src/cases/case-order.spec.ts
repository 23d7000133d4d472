import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drawCaseOrder } from './case-order.js';

const keys = fc.uniqueArray(fc.string(), { maxLength: 40 });

describe('the drawn order of cases', () => {
  // Stored seeds must give the same order in every later release.
  test.each([[42, ['case-4', 'case-2', 'case-3', 'case-8', 'case-6', 'case-1', 'case-5', 'case-7']]])(
    'the order that the seed %i draws never changes',
    (seed, order) => {
      expect(drawCaseOrder(seed, [...order].sort())).toEqual(order);
    },
  );

  test('the orders that docs/statistics.md states are those that its seeds draw', () => {
    const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/statistics.md'), 'utf8');
    const [, body = ''] = /^\| Seed \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(guide) ?? [];
    const rows = body
      .trim()
      .split('\n')
      .map((row) => row.split('|').map((cell) => cell.trim()));
    expect(rows.length).toBeGreaterThan(1);
    for (const [, seed, order] of rows)
      expect(drawCaseOrder(Number(seed), ['a', 'b', 'c', 'd', 'e']).join(' ')).toBe(order);
  });

  test('the order is a permutation of the cases that does not depend on their order in the pack', () => {
    fc.assert(
      fc.property(fc.nat(), keys, (seed, caseKeys) => {
        const order = drawCaseOrder(seed, caseKeys);
        expect([...order].sort()).toEqual([...caseKeys].sort());
        expect(drawCaseOrder(seed, [...caseKeys].reverse())).toEqual(order);
      }),
    );
  });

  test('every case comes first about equally often over many seeds', () => {
    const caseKeys = ['a', 'b', 'c', 'd', 'e'];
    const first = new Map<string | undefined, number>();
    for (let seed = 0; seed < 5_000; seed += 1) {
      const [lead] = drawCaseOrder(seed, caseKeys);
      first.set(lead, (first.get(lead) ?? 0) + 1);
    }
    // Four standard deviations around 1,000.
    for (const caseKey of caseKeys) expect(Math.abs((first.get(caseKey) ?? 0) - 1_000)).toBeLessThan(114);
  });
});
