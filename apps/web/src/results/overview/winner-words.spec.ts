import type { LaneComparison } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { leadersOf, testedWinner, untestedWinner } from './winner-words.js';

const lane = (name: string, rank: number | null, mean: number | null) => ({
  ...{ id: name, name, rank, overall: { mean, interval: null } },
});
const [alpha, beta, gamma] = [lane('alpha', 1, 0.8), lane('beta', 2, 0.7), lane('gamma', 3, 0.2)];

const compared = (overall: object, more: object = {}) =>
  ({
    ...{ comparable: true, reasons: [], cases: 40, detect: 0.05 },
    overall: { state: 'available', p: 0.01, interval: null, negligible: false, ...overall },
    ...more,
  }) as unknown as LaneComparison;

const words = (overall: object, { agents = 2, more = {} }: { agents?: number; more?: object } = {}) => {
  const { headline, certainty, isSignificant } = testedWinner(
    { winner: alpha, next: beta, agents },
    compared(overall, more),
  );
  return [headline, certainty, isSignificant];
};

describe('the winner of a run', () => {
  test('agents that share the first rank are a tie, and one agent alone has no opponent', () => {
    expect(untestedWinner(leadersOf([gamma, lane('delta', 1, 0.8), alpha]))).toMatchObject({
      headline: 'Tie: delta and alpha',
      isSignificant: false,
    });
    expect(untestedWinner(leadersOf([alpha]))?.headline).toBe('alpha scored 0.800');
    expect(untestedWinner(leadersOf([lane('alpha', null, null)]))?.headline).toBe('No winner');
    expect(untestedWinner(leadersOf([beta, alpha]))).toBeUndefined();
    expect(leadersOf([gamma, beta, alpha])).toEqual({ first: [alpha], next: beta });
  });

  test('a lead whose interval excludes zero is significant', () => {
    const lead = {
      mean_difference: 0.1,
      verdict: 'better',
      p_adjusted: 0.01,
      interval_adjusted: [0.02, 0.18],
    };
    expect(words(lead)).toEqual([
      'alpha leads beta by +0.100 [+0.020, +0.180]',
      'Significant over 40 common cases (p = 0.010).',
      true,
    ]);
  });

  test('a lead whose interval includes zero is not significant', () => {
    const lead = {
      mean_difference: 0.04,
      verdict: 'inconclusive',
      p_adjusted: 0.4,
      interval_adjusted: [-0.05, 0.13],
    };
    expect(words(lead)).toEqual([
      'alpha leads beta by +0.040 [−0.050, +0.130]',
      'Not significant over 40 common cases (p = 0.400).',
      false,
    ]);
  });

  test('a lead that was chosen among many agents needs to be significant among all of their pairs', () => {
    const lead = {
      mean_difference: 0.1,
      verdict: 'better',
      p_adjusted: 0.01,
      interval_adjusted: [0.02, 0.18],
    };
    expect(words(lead, { agents: 4 })).toEqual([
      'alpha leads beta by +0.100 [+0.020, +0.180]',
      'Significant for these two alone over 40 common cases (p = 0.010), but not as the best of 6 pairs of agents.',
      false,
    ]);
    expect(words({ ...lead, p_adjusted: 0.001 }, { agents: 4 })[2]).toBe(true);
  });

  test('a first that is not ahead in its score, and a lead without a test, are no lead', () => {
    expect(words({ mean_difference: -0.1, verdict: 'inconclusive', p_adjusted: 1 })).toEqual([
      'alpha ranks first',
      'Its score is not ahead of beta: −0.100 over 40 common cases.',
      false,
    ]);
    const untested = words({
      state: 'unavailable',
      mean_difference: null,
      verdict: 'inconclusive',
      p_adjusted: null,
    });
    expect(untested).toEqual([
      'alpha ranks first with 0.800',
      'Its lead over beta could not be tested.',
      false,
    ]);
  });
});
