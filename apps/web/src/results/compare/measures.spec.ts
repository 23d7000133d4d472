import type { MeasureComparison } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { casesMissing, detectableText, differences, signed, verdictText } from './measures.js';

const MEASURE: MeasureComparison = {
  ...{
    state: 'available',
    n: 10,
    baseline: 0.5,
    candidate: 0.6,
    mean_difference: 0.1,
    se: 0.1,
    ci: [-0.1, 0.3],
    interval: [-0.1, 0.3],
    negligible: false,
    detectable: 0.35,
  },
  ...{ p: 0.3, p_adjusted: 0.6, method: 't', mde: 0.3, cases_needed: 40, verdict: 'inconclusive' },
  raw: { baseline: null, candidate: null },
  pairs: [
    { case_key: 'a', baseline: 0.2, candidate: 0.9 },
    { case_key: 'b', baseline: 1, candidate: 0 },
  ],
};

describe('a comparison of two lanes', () => {
  test('a comparison of two lanes shows the greatest loss first', () => {
    expect(differences(MEASURE).map(({ caseKey }) => caseKey)).toEqual(['b', 'a']);
  });

  test('a comparison has a number of missing cases only while it is inconclusive', () => {
    expect(casesMissing(MEASURE)).toBe(30);
    expect(casesMissing({ ...MEASURE, verdict: 'better' })).toBeNull();
    expect(casesMissing({ ...MEASURE, n: 50 })).toBeNull();
  });

  test('a difference that is shown to be small is no change, and the detectable loss is named', () => {
    expect(verdictText(MEASURE)).toBe('inconclusive');
    const same = { ...MEASURE, negligible: true };
    expect([verdictText(same), casesMissing(same)]).toEqual(['no change', null]);
    expect(verdictText({ ...same, verdict: 'worse' })).toBe('worse');
    expect(detectableText(MEASURE)).toContain('A loss of 0.350 or more');
    expect(detectableText({ ...MEASURE, detectable: null })).toContain('Too few cases');
    expect(detectableText({ ...MEASURE, verdict: 'better' })).toBeNull();
  });

  test('a comparison gives every difference its sign', () => {
    expect([0.05, -0.05, 0, null].map(signed)).toEqual(['+0.050', '−0.050', '+0.000', '–']);
  });
});
