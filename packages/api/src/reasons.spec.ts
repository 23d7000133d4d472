import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reasonInWords } from './reasons.js';

describe('the reasons of comparisons and gates', () => {
  test.each([
    ['within_thresholds', 'nothing was lost beyond the policy'],
    ['regression_fail:correctness', 'correctness: lost more than the policy lets pass'],
    ['regression_warn:a:b', 'a:b: lost enough to warn'],
    ['made_up_later:cost', 'cost: made up later'],
    ['constructor', 'constructor'],
  ])('%s is expressed in words', (reason, words) => {
    expect(reasonInWords(reason)).toBe(words);
  });

  test('advice follows the meaning of a code', () => {
    expect(reasonInWords('agent_unresolved', { agent_unresolved: 'choose one' })).toBe(
      'a run has several agents: choose one',
    );
  });

  test('an unknown code becomes a text that keeps the dimension', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (code, dimension) => {
        expect(reasonInWords(`${code.replaceAll(':', '')}:${dimension}`).startsWith(`${dimension}: `)).toBe(
          true,
        );
      }),
    );
  });
});
