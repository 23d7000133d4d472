import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gateNotesInWords, gateReasonsInWords, limitsOf, reasonInWords } from './gate-words.js';

const max_regression = { warn: 0.02, fail: 0.05 };

describe('the limits of a gate policy', () => {
  test('the limits of a gate policy are listed, one line each', () => {
    const lines = limitsOf({
      comparisons: {
        correctness: { max_regression, mode: 'point' },
        cost: { max_regression, mode: 'significant' },
        latency: { max_regression, mode: 'non_inferior' },
      },
      require_pass: true,
      max_missing_share: 0.1,
      min_cases: 20,
    });
    expect(lines).toEqual([
      'correctness: warns from 0.02, fails from 0.05',
      'cost: warns from 0.02, fails from 0.05, only if significant',
      'latency: warns from 0.02, fails from 0.05, shown to be no worse',
      'must pass by itself',
      'at least 20 cases',
      'up to 10 % may be missing',
    ]);
  });

  test('the limit of every other dimension and the effect of a missing one are listed too', () => {
    const lines = limitsOf({
      comparisons: { cost: { max_regression } },
      other_dimensions: { max_regression, mode: 'significant' },
      missing_dimension: 'note',
    });
    expect(lines).toEqual([
      'cost: warns from 0.02, fails from 0.05',
      'every other dimension of both: warns from 0.02, fails from 0.05, only if significant',
      'a dimension that a side lacks is a note',
    ]);
  });

  test('requirements without effect are not listed', () => {
    const lines = limitsOf({
      comparisons: { cost: { max_regression } },
      require_pass: false,
      max_missing_share: 0,
      min_cases: 1,
    });
    expect(lines).toEqual(['cost: warns from 0.02, fails from 0.05']);
  });
});

describe('the reasons of comparisons and gates', () => {
  test.each([
    ['within_thresholds', 'nothing was lost beyond the policy'],
    ['regression_fail:correctness', 'correctness: lost more than the policy lets pass'],
    ['regression_warn:a:b', 'a:b: lost enough to warn'],
    ['made_up_later:cost', 'cost: made up later'],
    ['constructor', 'constructor'],
  ])('the reason %s is expressed in words', (reason, words) => {
    expect(reasonInWords(reason)).toBe(words);
  });

  test('advice follows the meaning of a code', () => {
    expect(reasonInWords('not_in_baseline:terse')).toBe('terse: no agent of the baseline has this name');
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

describe('the reason of a passed gate', () => {
  const significant = { max_regression, mode: 'significant' as const };
  const reasons = ['within_thresholds'];

  test('a passed gate states that no loss was significant where the policy requires significance', () => {
    const policy = { comparisons: { cost: significant }, other_dimensions: significant };
    expect(gateReasonsInWords({ reasons, policy, detectable: { cost: 0.1, tone: null } })).toEqual([
      'no significant loss beyond the policy',
    ]);
  });

  test('a passed gate states that nothing was lost where a dimension is decided by its difference alone', () => {
    const policy = { comparisons: { cost: significant, tone: { max_regression } } };
    expect(gateReasonsInWords({ reasons, policy, detectable: { cost: 0.1, tone: null } })).toEqual([
      'nothing was lost beyond the policy',
    ]);
  });

  test('a passed gate states that nothing was compared, instead of that nothing was lost', () => {
    const policy = { comparisons: {}, require_pass: true };
    expect(gateReasonsInWords({ reasons, policy, detectable: {} })).toEqual([
      'no dimension was compared; the other requirements of the policy are met',
    ]);
  });

  test('the words for a decision of an earlier release claim nothing about significance', () => {
    const policy = { comparisons: { cost: significant } };
    expect(gateReasonsInWords({ reasons, policy })).toEqual(['nothing was lost beyond the policy']);
  });

  test('all other reasons keep their words, with advice', () => {
    const decided = { reasons: ['agent_unresolved', 'not_passed'], policy: {} };
    expect(gateReasonsInWords(decided, { agent_unresolved: 'choose one' })).toEqual([
      'a run has several agents: choose one',
      'the candidate did not pass by itself',
    ]);
  });

  test('the reasons of several agents are those of each, behind its name', () => {
    const agents = [
      { agent: 'concise', reasons, detectable: { cost: 0.1 } },
      { agent: 'chatty', reasons: ['regression_fail:cost'], detectable: { cost: 0.1 } },
    ];
    const decided = {
      reasons: ['regression_fail:chatty / cost'],
      policy: { comparisons: { cost: significant } },
    };
    expect(gateReasonsInWords({ ...decided, agents })).toEqual([
      'concise: no significant loss beyond the policy',
      'chatty: cost: lost more than the policy lets pass',
    ]);
  });
});

describe('the notes of a gate', () => {
  const lacking = (...names: string[]) => names.map((name) => `dimension_unavailable:${name}`);

  test('the dimensions that were not compared are one line, for all agents if they lack the same', () => {
    const line = ['note: cost, latency: not scored on both sides'];
    expect(gateNotesInWords(lacking('cost', 'latency'))).toEqual(line);
    expect(gateNotesInWords(lacking('a / cost', 'a / latency', 'b / cost', 'b / latency'))).toEqual(line);
  });

  test('agents that lack other dimensions have a line each, and other notes stay', () => {
    expect(gateNotesInWords([...lacking('a / cost', 'b / x / latency'), 'candidate_imported'])).toEqual([
      'note: the attempts of the candidate were run elsewhere and imported',
      'note: a / cost: not scored on both sides',
      'note: b / x / latency: not scored on both sides',
    ]);
    expect(gateNotesInWords([])).toEqual([]);
  });
});
