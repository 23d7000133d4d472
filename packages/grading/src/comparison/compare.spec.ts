import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aggregateAttempts } from '../aggregate/aggregate.js';
import { compareRunAgents, resolveRunAgent } from './compare.js';
import { pairedTest } from './paired-test.js';
import type { ComparisonSide } from './types.js';

function side(scores: Record<string, number>, ids: Partial<ComparisonSide> = {}): ComparisonSide {
  const attempts = Object.entries(scores).map(([case_key, overall]) => ({
    case_key,
    overall,
    passed: overall >= 0.5,
    reason: 'threshold_met' as const,
    validity: 'valid' as const,
    gates: {},
    dimensions: { latency: overall },
    raw: { latency: { value: 1000 * (1 - overall), unit: 'ms' } },
  }));
  const scorecard = aggregateAttempts({
    strategy: 'weighted',
    pass_threshold: 0.5,
    dimensions: ['latency'],
    gates: [],
    attempts,
    planned_attempts: attempts.length,
    draws: [1],
  });
  return {
    run_agent_id: 'agent',
    challenge_pack_version_id: 'version',
    challenge_input_set_id: 'input-set',
    evaluation_spec_id: 'spec',
    scorecard,
    ...ids,
  };
}

describe('comparing run agents', () => {
  test.each([
    ['challenge_pack_version_mismatch', { challenge_pack_version_id: 'other' }],
    ['challenge_input_set_mismatch', { challenge_input_set_id: 'other' }],
    ['evaluation_spec_mismatch', { evaluation_spec_id: 'other' }],
    ['missing_scorecard', { scorecard: null }],
  ])('run agents are not compared for the reason %s', (reason, ids) => {
    const [comparison] = compareRunAgents([{ baseline: side({ c1: 1 }), candidate: side({ c1: 1 }, ids) }]);
    expect(comparison).toMatchObject({ comparable: false, reasons: [reason], cases: 0 });
    expect(comparison?.overall.verdict).toBe('inconclusive');
  });

  test('an unresolved agent is a reason, not a guess', () => {
    const [comparison] = compareRunAgents([{ baseline: null, candidate: side({ c1: 1 }) }]);
    expect(comparison).toMatchObject({
      baseline_run_agent_id: null,
      comparable: false,
      reasons: ['agent_unresolved'],
    });
  });

  test('only cases that both sides have are paired', () => {
    const [comparison] = compareRunAgents([
      { baseline: side({ c1: 0.5, c2: 0.1 }), candidate: side({ c1: 0.75, c3: 1 }) },
    ]);
    expect(comparison?.overall.pairs).toEqual([{ case_key: 'c1', baseline: 0.5, candidate: 0.75 }]);
    expect(comparison?.dimensions.latency?.raw).toEqual({
      baseline: { value: 500, unit: 'ms' },
      candidate: { value: 250, unit: 'ms' },
    });
  });

  test('run agents without a common case are not compared', () => {
    const [comparison] = compareRunAgents([{ baseline: side({ c1: 1 }), candidate: side({ c2: 1 }) }]);
    expect(comparison).toMatchObject({ comparable: false, reasons: ['no_common_case'] });
  });

  test('comparing more at once requires more evidence', () => {
    const baseline = side({ c1: 0.1, c2: 0.2, c3: 0.3, c4: 0.1, c5: 0.2, c6: 0.3 });
    const candidate = side({ c1: 0.3, c2: 0.3, c3: 0.45, c4: 0.2, c5: 0.4, c6: 0.4 });
    const [alone] = compareRunAgents([{ baseline, candidate }]);
    const [among] = compareRunAgents(Array.from({ length: 3 }, () => ({ baseline, candidate })));
    expect(among?.overall.p).toBe(alone?.overall.p);
    expect(among?.overall.p_adjusted).toBeGreaterThan(alone?.overall.p_adjusted ?? 1);
  });

  test('exchanging the sides mirrors the differences and keeps p', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    const pairs = fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(pairs, (values) => {
        const options = { binary: false, detect: 0.05 };
        const forth = pairedTest(values, options);
        const back = pairedTest(
          values.map(([baseline, candidate]) => [candidate, baseline]),
          options,
        );
        expect(back.mean_difference ?? 0).toBeCloseTo(-(forth.mean_difference ?? 0), 12);
        expect(back.p).toBeCloseTo(forth.p ?? 0, 9);
      }),
    );
  });

  test('a single case is never conclusive', () => {
    expect(pairedTest([[0, 1]], { binary: true, detect: 0.05 })).toMatchObject({
      n: 1,
      mean_difference: 1,
      p: null,
      verdict: 'inconclusive',
    });
  });
});

describe('which run agent is meant', () => {
  const agents = [{ id: 'a' }, { id: 'b' }];

  test('the compared run agent is the named one, or the only one', () => {
    expect(resolveRunAgent(agents, 'b')).toEqual({ id: 'b' });
    expect(resolveRunAgent([{ id: 'a' }])).toEqual({ id: 'a' });
  });

  test('several run agents without a name stay unresolved', () => {
    expect(resolveRunAgent(agents)).toBeUndefined();
  });
});
