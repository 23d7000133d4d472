import type { VariantComparison } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { signedPoints, variantFigures, variantVerdictText } from './variant-words.js';

const comparison = (values: Partial<VariantComparison> = {}): VariantComparison => ({
  run_agent_id: 'a',
  baseline_run_agent_id: 'b',
  deployment: 'coder',
  variant: 'docs',
  baseline: 'bare',
  verdict: 'no_difference_shown',
  measure: 'pass',
  cases: 40,
  baseline_mean: 0.5,
  variant_mean: 0.52,
  difference: 0.02,
  interval: [-0.05, 0.09],
  p: 0.4,
  p_adjusted: 0.4,
  tests: 2,
  detect: 0.05,
  more_cases: 274,
  negligible: false,
  ...values,
});

describe('The words of a variant', () => {
  test.each<[string, Partial<VariantComparison>, string]>([
    ['help', { verdict: 'helps' }, 'helps'],
    ['harm', { verdict: 'harms' }, 'harms'],
    ['an open verdict', {}, 'no difference shown (needs 274 more cases to show 5.0 points)'],
    ['one missing case', { more_cases: 1 }, 'no difference shown (needs 1 more case to show 5.0 points)'],
    [
      'a negligible difference',
      { negligible: true },
      'no difference shown (5.0 points or more are excluded)',
    ],
    ['an unknown need', { more_cases: null }, 'no difference shown'],
  ])('The verdict names %s', (_name, values, text) => {
    expect(variantVerdictText(comparison(values))).toBe(text);
  });

  test('The figures name difference, measure, baseline, interval, cases and p', () => {
    expect(variantFigures(comparison())).toBe(
      '+2.0 points in pass rate over bare, 95 % interval −5.0 to +9.0, 40 common cases, p 0.400',
    );
    expect(
      variantFigures(
        comparison({ measure: 'overall', difference: -0.2, interval: null, p_adjusted: 1e-5, cases: 1 }),
      ),
    ).toBe('−20.0 points in overall score over bare, 1 common case, p < 0.001');
    expect(variantFigures(comparison({ difference: null, cases: 0 }))).toBe('0 common cases with bare');
  });

  test('A difference that rounds to zero has no sign', () => {
    expect([0, 0.0004, -0.0004, 0.5].map(signedPoints)).toEqual(['0.0', '0.0', '0.0', '+50.0']);
  });
});
