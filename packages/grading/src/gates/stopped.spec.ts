import { GATE_MODES, type GateMode, PAIR_VERDICTS, type PairVerdict } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareRunAgents } from '../comparison/compare.js';
import { SequentialRace } from '../race/race.js';
import { Random } from '../testing/random.js';
import { side } from '../testing/trials.js';
import { evaluateGate } from './evaluate.js';
import { type GateSubject, gateEvidence } from './evidence.js';
import { BUILT_IN_POLICY, fillPolicy } from './policy.js';
import type { GateEvidence, GateRace, GateSide } from './types.js';

const SOUND: GateSide = { validity: 'valid', passed: true, status: 'completed', missing_share: 0 };
const WORSE: GateRace = { verdict: 'worse', metric: 'pass', difference: -0.3, population: 100 };
const UNAVAILABLE = { state: 'unavailable', delta: null, se: null, n: 0, verdict: 'inconclusive' } as const;

function stopped(race?: Partial<GateRace>, changes: Partial<GateEvidence> = {}): GateEvidence {
  return {
    ...{ comparable: true, is_stopped: true, cases: 0, candidate: SOUND, baseline: SOUND },
    dimensions: { correctness: UNAVAILABLE, latency: UNAVAILABLE },
    ...(race && { race: { ...WORSE, ...race } }),
    ...changes,
  };
}

const limit = (mode: GateMode, warn = 0.02, fail = 0.05) => ({ max_regression: { warn, fail }, mode });
const policy = (mode: GateMode) => fillPolicy({ comparisons: { correctness: limit(mode) } });
const gate = (mode: GateMode, race?: Partial<GateRace>) => evaluateGate(policy(mode), stopped(race)).reasons;

const READ: [verdict: PairVerdict, difference: number, reasons: string[]][] = [
  ['better', 0.3, ['within_thresholds']],
  ['equivalent', -0.06, ['within_thresholds']],
  ['worse', -0.3, ['regression_fail:pass']],
  ['worse', -0.03, ['regression_warn:pass']],
  ['worse', -0.01, ['within_thresholds']],
  ['exact', -0.3, ['regression_fail:pass']],
  ['exact', -0.03, ['regression_warn:pass']],
  ['exact', 0, ['within_thresholds']],
  ['exact', 0.3, ['within_thresholds']],
  ['insufficient', -0.3, ['race_insufficient:pass']],
  ['undecided', -0.3, ['race_undecided:pass']],
];

describe('a gate over a run that stopped early', () => {
  test('the table of read verdicts names every verdict of a pair', () => {
    expect(new Set(READ.map(([verdict]) => verdict))).toEqual(new Set(PAIR_VERDICTS));
  });

  test.each(READ)(
    'the mode significant reads the verdict %s of a race at %d: %j',
    (verdict, difference, reasons) => {
      expect(gate('significant', { verdict, difference })).toEqual(reasons);
    },
  );

  test.each(PAIR_VERDICTS)(
    'the modes point and non_inferior are not decided by the verdict %s of a race',
    (verdict) => {
      for (const mode of GATE_MODES.filter((each) => each !== 'significant')) {
        expect(evaluateGate(policy(mode), stopped({ verdict }))).toMatchObject({
          ...{ verdict: 'insufficient_evidence', exit_code: 3, detectable: {} },
          reasons: ['stopped_early:correctness'],
        });
      }
    },
  );

  test.each(GATE_MODES)('the mode %s is not decided where no race has the pair', (mode) => {
    expect(gate(mode)).toEqual(['stopped_early']);
  });

  test('the verdict is read once, by the strictest limits of the mode significant', () => {
    const comparisons = {
      correctness: limit('significant', 0.1, 0.4),
      latency: limit('significant', 0.2, 0.25),
    };
    const result = evaluateGate(fillPolicy({ comparisons }), stopped(WORSE));
    expect(result).toMatchObject({ verdict: 'fail', reasons: ['regression_fail:pass'], exit_code: 1 });
    const others = fillPolicy({ comparisons: {}, other_dimensions: limit('significant') });
    expect(evaluateGate(others, stopped(WORSE)).reasons).toEqual(['regression_fail:pass']);
  });

  test('a policy of several modes names the comparisons that are not decided beside the verdict', () => {
    const comparisons = { correctness: limit('significant'), latency: limit('point') };
    expect(evaluateGate(fillPolicy({ comparisons }), stopped(WORSE)).reasons).toEqual([
      'regression_fail:pass',
      'stopped_early:latency',
    ]);
  });

  test('the built-in policy reads the verdict, and notes the dimensions that the pack does not score', () => {
    const result = evaluateGate(BUILT_IN_POLICY, stopped({ verdict: 'better', difference: 0.2 }));
    expect(result).toMatchObject({
      ...{ verdict: 'pass', reasons: ['within_thresholds'] },
      notes: ['dimension_unavailable:reliability', 'dimension_unavailable:cost'],
    });
    const none = evaluateGate(BUILT_IN_POLICY, stopped(WORSE, { dimensions: {} }));
    expect(none.reasons).toEqual(['nothing_compared']);
  });

  test('gaps of the evidence come before the verdict, and the cases of a policy are those that the verdict is about', () => {
    const candidate: GateSide = { ...SOUND, selective_retry: true };
    const significant = policy('significant');
    expect(evaluateGate(significant, stopped(WORSE, { candidate })).reasons).toEqual([
      'candidate_selective_retry',
    ]);
    expect(evaluateGate({ ...significant, min_cases: 100 }, stopped(WORSE)).reasons).toEqual([
      'regression_fail:pass',
    ]);
    expect(evaluateGate({ ...significant, min_cases: 101 }, stopped(WORSE)).reasons).toEqual([
      'too_few_cases',
    ]);
    expect(evaluateGate(significant, stopped(WORSE, { comparable: false })).reasons).toEqual([
      'not_comparable',
    ]);
  });
});

describe('the evidence of a gate over runs that stopped early', () => {
  const trials = (successes: number) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, at): [string, [number, number]] => [
        `c${at}`,
        [at < successes ? 1 : 0, 1],
      ]),
    );
  const baseline = side('baseline', trials(20));
  const candidate = side('candidate', trials(0));
  const subject: GateSubject = {
    scorecard: candidate.scorecard,
    completed_attempts: 20,
    selective_retry: false,
  };
  const subjects = { baseline: subject, candidate: subject };

  test.each([
    ['the candidate', { baseline, candidate: { ...candidate, is_stopped: true } }],
    ['the baseline', { baseline: { ...baseline, is_stopped: true }, candidate }],
    ['both', { baseline: { ...baseline, is_stopped: true }, candidate: { ...candidate, is_stopped: true } }],
  ])('nothing is tested where %s stopped early, however large the difference', (_name, pair) => {
    const [comparison] = compareRunAgents([pair]);
    if (comparison === undefined) throw new Error('no comparison');
    expect(comparison).toMatchObject({ comparable: false, reasons: ['stopped_early'], cases: 0, tests: 0 });
    for (const measure of [comparison.overall, comparison.pass]) {
      expect(measure).toMatchObject({
        n: 0,
        p: null,
        p_adjusted: null,
        interval: null,
        verdict: 'inconclusive',
      });
    }
    expect(gateEvidence(comparison, subjects)).toMatchObject({ comparable: true, is_stopped: true });
    const found = evaluateGate(policy('significant'), gateEvidence(comparison, { ...subjects, race: WORSE }));
    expect(found.reasons).toEqual(['dimension_unavailable:correctness']);
  });

  test('a race that ran to its last case is an ordinary run, and its verdict decides nothing', () => {
    const [comparison] = compareRunAgents([{ baseline, candidate }]);
    if (comparison === undefined) throw new Error('no comparison');
    const evidence = gateEvidence(comparison, { ...subjects, race: { ...WORSE, verdict: 'undecided' } });
    expect(evidence).toMatchObject({ comparable: true, cases: 20 });
    expect(evidence).not.toHaveProperty('race');
    expect(evidence).not.toHaveProperty('is_stopped');
  });

  test('a verdict of the candidate by itself counts only where no further case can change it', () => {
    const [comparison] = compareRunAgents([{ baseline, candidate: { ...candidate, is_stopped: true } }]);
    if (comparison === undefined || candidate.scorecard === null) throw new Error('no comparison');
    const passedBy = (reason: 'below_threshold' | 'case_failed') => {
      const scorecard = { ...candidate.scorecard, passed: false, reason } as GateSubject['scorecard'];
      return gateEvidence(comparison, { ...subjects, candidate: { ...subject, scorecard } }).candidate.passed;
    };
    expect([passedBy('below_threshold'), passedBy('case_failed')]).toEqual([null, false]);
  });
});

test('a gate never fails for a race whose interval does not exclude a gain, nor passes a loss of every case', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 80 }), (percent, evidence) => {
      const random = new Random(percent * 101 + evidence);
      const order = Array.from({ length: 80 }, (_, at) => `c${at}`);
      const settings = {
        goal: 'baseline',
        alpha: 0.05,
        margin: 0.1,
        max_missing_share: 0.05,
        lanes: ['a'],
      } as const;
      const race = new SequentialRace({ ...settings, baseline: 'b' }, order);
      race.update(
        order.slice(0, evidence).flatMap((case_key) => [
          { lane: 'a', case_key, value: random.binomial(1, percent / 100) },
          { lane: 'b', case_key, value: random.binomial(1, 0.5) },
        ]),
      );
      const [pair] = race.decisions({ ended: true }).pairs;
      if (!pair?.verdict) throw new Error('no verdict');
      const { verdict, difference, population, interval } = pair;
      const { verdict: decided } = evaluateGate(
        policy('significant'),
        stopped({ verdict, difference, population }),
      );
      // An end at 0 is no part of the interval of a verdict, but of an undecided one.
      const mayBeLoss = interval[1] <= 1e-9 && (difference ?? 0) < 0;
      if (decided === 'fail' || decided === 'warn') expect(mayBeLoss).toBe(true);
      if (interval[1] < -1e-9 && (difference ?? 0) <= -0.05) expect(decided).toBe('fail');
      if (decided === 'pass') expect(['better', 'equivalent', 'exact', 'worse']).toContain(verdict);
      expect(decided === 'insufficient_evidence').toBe(verdict === 'undecided' || verdict === 'insufficient');
    }),
    { numRuns: 200 },
  );
});
