import { describe, expect, test } from '@jest/globals';
import { adjacentTo, caseOrder } from './case-order.js';

const cell = (successes: number, trials = 2) => ({ overall: successes / 2, trials, successes });
const ROWS = [
  { caseKey: 'a', cells: [cell(2), cell(2)] },
  { caseKey: 'b', cells: [cell(1), cell(0)] },
  { caseKey: 'c', cells: [cell(0), null] },
  { caseKey: 'd', cells: [cell(2), cell(0, 0)] },
];

describe('the order of cases', () => {
  test('the cases follow each other as in the matrix, all or those in which agents differ', () => {
    expect(caseOrder(ROWS, 'case', false)).toEqual(['a', 'b', 'c', 'd']);
    expect(caseOrder(ROWS, 'hardest', false)[0]).toBe('c');
    expect(caseOrder(ROWS, 'case', true)).toEqual(['b']);
  });

  test('a case has the one before and the one after; one that is not in the list is followed by the first', () => {
    expect(adjacentTo(['a', 'b', 'c'], 'b')).toEqual({ position: 1, previous: 'a', next: 'c' });
    expect(adjacentTo(['a', 'b'], 'a')).toEqual({ position: 0, previous: undefined, next: 'b' });
    expect(adjacentTo(['a', 'b'], 'z')).toEqual({ position: -1, previous: undefined, next: 'a' });
  });
});
