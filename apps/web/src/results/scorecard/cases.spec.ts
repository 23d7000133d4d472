import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { laneCases, lowestFirst } from './cases.js';

const CARD = {
  cases: [
    { case_key: 'a', overall: 0.75, trials: 4, successes: 3, dimensions: { cost: 0.2 } },
    { case_key: 'b', overall: null, trials: 0, successes: 0, dimensions: { cost: null } },
    { case_key: 'c', overall: 0.1, trials: 4, successes: 0, dimensions: { cost: 0.9 } },
  ],
};

describe('the cases of a lane', () => {
  test('cases of a lane have a value for every measure', () => {
    expect(laneCases(CARD)[0]).toEqual({
      caseKey: 'a',
      trials: 4,
      successes: 3,
      values: new Map([
        ['cost', 0.2],
        ['overall', 0.75],
        ['pass rate', 0.75],
      ]),
    });
  });

  test.each([
    ['overall', ['c', 'a', 'b']],
    ['pass rate', ['c', 'a', 'b']],
    ['cost', ['a', 'c', 'b']],
    ['of no such name', ['a', 'b', 'c']],
  ])(
    'cases in the order of %s begin with the greatest cost and end with those without a value',
    (measure, keys) => {
      expect(lowestFirst(laneCases(CARD), measure).map(({ caseKey }) => caseKey)).toEqual(keys);
    },
  );

  test('any JSON that a server sends is read without an error', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void laneCases({ cases: value })));
  });
});
