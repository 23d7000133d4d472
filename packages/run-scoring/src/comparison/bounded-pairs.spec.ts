import type { MeasureComparison } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { withBoundedPairs } from './bounded-pairs.js';

function measureOf(pairs: MeasureComparison['pairs']): MeasureComparison {
  return { pairs } as Partial<MeasureComparison> as MeasureComparison;
}

describe('the pairs of cases in a comparison', () => {
  const pairs = [0.1, -0.9, 0, 0.5].map((difference, at) => ({
    ...{ case_key: `case-${at}`, baseline: 0.9, candidate: 0.9 + difference },
  }));
  const lane = () => ({ overall: measureOf(pairs), pass: measureOf(pairs.slice(0, 2)), dimensions: {} });

  test('pairs that fit are all there', () => {
    expect(withBoundedPairs([lane()], 8)).toEqual([lane()]);
  });

  test('the pairs that differ most stay in their order where not all fit, and the others are counted', () => {
    const [found] = withBoundedPairs([{ ...lane(), dimensions: { d: measureOf(pairs) } }], 6);
    const kept = { pairs: [pairs[1], pairs[3]], pairs_omitted: 2 };
    expect(found).toEqual({ overall: kept, pass: { pairs: pairs.slice(0, 2) }, dimensions: { d: kept } });
  });
});
