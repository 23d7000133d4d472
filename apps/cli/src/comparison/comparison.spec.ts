import type { GateDecision, MeasureComparison, RaceComparison, RunComparison } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import picocolors from 'picocolors';
import { comparisonMarkdown, gateJunit, gateMarkdown } from './comparison-reports.js';
import { comparisonView, intervalBar } from './comparison-view.js';
import { gateView } from './gate-view.js';
import { difference, probability, reasonText, signed } from './measures.js';

const PAINT = picocolors.createColors(false);
const LOOK = { paint: PAINT };
const RUN = '019a0000-0000-7000-8000-00000000000';
const agents = [{ run_agent_id: `${RUN}3`, name: 'solver' }];

const MEASURE: MeasureComparison = {
  state: 'available',
  n: 40,
  baseline: 0.8,
  candidate: 0.75,
  mean_difference: -0.05,
  se: 0.02,
  ci: [-0.09, -0.01],
  interval: [-0.09, -0.01],
  interval_adjusted: [-0.097, 0.001],
  detectable: 0.186,
  negligible: false,
  p: 0.02,
  p_adjusted: 0.06,
  method: 'paired_t',
  mde: 0.057,
  cases_needed: 52,
  verdict: 'inconclusive',
  raw: { baseline: null, candidate: null },
  pairs: [],
};

const COMPARED: RunComparison = {
  baseline: { run_id: `${RUN}1`, name: 'nightly', selective_retry: false, agents },
  candidate: { run_id: `${RUN}2`, name: null, selective_retry: true, agents },
  comparisons: [
    {
      baseline_run_agent_id: `${RUN}3`,
      candidate_run_agent_id: `${RUN}3`,
      comparable: true,
      reasons: [],
      cases: 40,
      detect: 0.05,
      overall: MEASURE,
      pass: MEASURE,
      dimensions: {
        correctness: {
          ...{ ...MEASURE, verdict: 'worse', p: 0.0001, p_adjusted: 0.0002 },
          ...{ interval: [-0.07, -0.03], interval_adjusted: [-0.074, -0.026] },
        },
      },
    },
  ],
};

const RACE: RaceComparison = {
  ...{ run_id: `${RUN}2`, stopped: 'decided', goal: 'baseline', metric: 'pass', alpha: 0.05, pairs: 1 },
  ...{ verdict: 'worse', difference: -0.42, interval: [-0.7, -0.02], cases: 37, population: 100, missing: 0 },
};

const RACED: RunComparison = {
  ...COMPARED,
  comparisons: COMPARED.comparisons.map((lane) => ({
    ...{ ...lane, comparable: false, reasons: ['stopped_early'], cases: 0, race: RACE },
  })),
};

const DECISION: GateDecision = {
  verdict: 'fail',
  reasons: ['regression_fail:correctness', 'dimension_unavailable:cost', 'regression_warn:latency'],
  exit_code: 1,
  comparison_id: `${RUN}4`,
  policy_fingerprint: 'ab'.repeat(32),
  policy: {
    name: 'release',
    comparisons: Object.fromEntries(
      ['correctness', 'cost', 'latency', 'reliability'].map((key) => [
        key,
        { max_regression: { warn: 0.02, fail: 0.05 } },
      ]),
    ),
  },
  baseline_run_id: `${RUN}1`,
  candidate_run_id: `${RUN}2`,
  decided_at: '2026-01-01T00:00:00.000Z',
};

describe('an interval drawn', () => {
  test('the bar of an interval is left of zero when all its values are a loss', () => {
    expect(intervalBar({ mean: -0.05, ci: [-0.09, -0.01] }, 0.1)).toBe(' ────●────│          ');
  });

  test('the bar of an interval always has its width, and includes zero or the mean', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(value, value, fc.double({ min: 0.001, max: 2, noNaN: true }), (a, b, reach) => {
        const ci: [number, number] = [Math.min(a, b), Math.max(a, b)];
        const bar = intervalBar({ mean: (a + b) / 2, ci }, reach);
        expect([...bar]).toHaveLength(21);
        expect(bar).toContain('●');
      }),
    );
  });

  test('the bar of an unknown interval is empty', () => {
    expect(intervalBar({ mean: null, ci: null }, 1)).toBe('');
    expect(intervalBar({ mean: 0, ci: null }, 0)).toBe('');
  });
});

describe('a comparison', () => {
  test('a comparison shows how many more cases would settle it, and that attempts were chosen by their result', () => {
    const view = comparisonView(COMPARED, LOOK);
    expect(view).toContain('solver (nightly)');
    expect(view).toContain('12 more cases would show a difference of 0.05');
    expect(view).toMatch(/correctness +0\.800 +0\.750 +-0\.050 \[-0\.074, -0\.026\].*<0\.001 +worse/);
    expect(view).toContain('attempts of the candidate were run again because of their result');
  });

  test('a comparison names the attempts that each side lacks, with the reason, even when it cannot be made', () => {
    const [lane] = COMPARED.comparisons;
    if (lane === undefined) throw new Error('no lane');
    const candidate = {
      ...{ planned: 40, attempts: 2, reasons: [{ reason: 'provider_timeout', attempts: 2 }] },
      cases: [{ case_key: 'a', reason: 'provider_timeout', attempts: 2 }],
    };
    const line = 'candidate: 2 of 40 attempts have no usable scorecard: 2 provider timeout (case a)';
    for (const change of [{}, { comparable: false, reasons: ['no_common_case'] }]) {
      const compared = { ...COMPARED, comparisons: [{ ...lane, ...change, missing: { candidate } }] };
      expect(comparisonView(compared, LOOK)).toContain(line);
      expect(comparisonMarkdown(compared).replaceAll('\\', '')).toContain(line);
    }
    expect(comparisonView(COMPARED, LOOK)).not.toContain('usable scorecard');
  });

  test('a comparison that cannot be made shows why and what to do', () => {
    const [lane] = COMPARED.comparisons;
    if (lane === undefined) throw new Error('no lane');
    const reasons = ['agent_unresolved'];
    const comparisons = [{ ...lane, comparable: false, reasons, candidate_run_agent_id: null }];
    expect(comparisonView({ ...COMPARED, comparisons }, LOOK)).toContain('name the lane with --agent');
    const unpaired = comparisons.map((each) => ({ ...each, reasons: ['not_in_candidate'] }));
    const view = comparisonView({ ...COMPARED, comparisons: unpaired }, LOOK);
    expect(view).toMatch(/^no agent .*against/m);
    expect(view).toContain('no agent of the candidate has this name');
  });

  test('a difference below the requested one is no change, and shows the detectable difference', () => {
    const same = {
      ...MEASURE,
      mean_difference: 0,
      interval: [-0.06, 0.06] as [number, number],
      interval_adjusted: [-0.06, 0.06] as [number, number],
      negligible: true,
    };
    const [lane] = COMPARED.comparisons;
    if (lane === undefined) throw new Error('no lane');
    const comparisons = [{ ...lane, tests: 1, overall: same, pass: same, dimensions: {} }];
    const view = comparisonView({ ...COMPARED, comparisons }, LOOK);
    expect(view).toMatch(/overall .*\+0\.000 \[-0\.060, \+0\.060\].*no change/);
    expect(view).not.toContain('inconclusive');
    expect(view).toContain('95 % interval and P are adjusted for one test');
    expect(view).toContain('a loss of 0.186 or more in overall would have been seen with 80 % power');
  });

  test('a comparison of an earlier release without a valid interval shows none', () => {
    const { interval: _interval, interval_adjusted: _adjusted, ...earlier } = MEASURE;
    const [lane] = COMPARED.comparisons;
    if (lane === undefined) throw new Error('no lane');
    const comparisons = [{ ...lane, overall: earlier, pass: earlier, dimensions: {} }];
    expect(comparisonView({ ...COMPARED, comparisons }, LOOK)).not.toMatch(/-0\.050 \[/);
  });

  test('a comparison shows the figures that are adjusted for all tests, and the unadjusted ones apart', () => {
    const view = comparisonView(COMPARED, LOOK);
    expect(view).toMatch(
      /overall .*-0\.050 \[-0\.097, \+0\.001\].* 0\.060 +inconclusive +\[-0\.090, -0\.010\] p 0\.020/,
    );
    const line =
      '| overall | 0.800 | 0.750 | -0.050 [-0.097, +0.001] | 0.060 | **inconclusive** | [-0.090, -0.010] p 0.020 |';
    expect(comparisonMarkdown(COMPARED)).toContain(line);
    const alone = { ...MEASURE, interval: MEASURE.interval_adjusted, p: MEASURE.p_adjusted };
    const [lane] = COMPARED.comparisons;
    if (lane === undefined) throw new Error('no lane');
    const comparisons = [{ ...lane, overall: alone, pass: alone, dimensions: {} }];
    expect(comparisonView({ ...COMPARED, comparisons }, LOOK).toLowerCase()).not.toContain('unadjusted');
  });

  test('a comparison of an earlier release shows no interval that contradicts its adjusted verdict', () => {
    const { interval_adjusted: _adjusted, ...earlier } = MEASURE;
    expect(difference(earlier)).toBe('-0.050');
    expect(difference({ ...earlier, p_adjusted: earlier.p })).toBe('-0.050 [-0.090, -0.010]');
  });

  test('the printed p, interval and verdict of a comparison are on the same side, however they are rounded', () => {
    const figure = fc.double({ min: 0, max: 0.3, noNaN: true });
    fc.assert(
      fc.property(figure, fc.double({ min: 0.045, max: 0.055, noNaN: true }), (reach, p) => {
        const isWorse = p < 0.05;
        const ends: [number, number] = isWorse ? [-0.3, Math.min(0, -0.1 + reach)] : [-0.3, reach];
        const measure = { ...MEASURE, p_adjusted: p, interval_adjusted: ends };
        const high = Number(difference(measure).match(/, ([+-][\d.]+)\]/)?.[1]);
        expect(high <= 0 || !isWorse).toBe(true);
        expect(high >= 0 || isWorse).toBe(true);
        const printed = probability(p);
        expect(printed.startsWith('<') || Number(printed) < 0.05).toBe(isWorse);
      }),
    );
  });

  test('a comparison over a run that stopped early shows the verdict of its race with the promise, and no table', () => {
    const view = comparisonView(RACED, LOOK);
    expect(view.split('\n').slice(1)).toEqual([
      'race: worse in pass rate, -0.420 [-0.700, -0.020] after 37 of 100 cases (stopped: decided; alpha 0.05)',
      'With probability at least 0.95, every verdict is what all 100 cases would have shown.',
      'not comparable',
      '  a run that stopped early is not tested, only the verdict of its race holds for all cases',
    ]);
    const comparisons = RACED.comparisons.map(({ race: _race, ...lane }) => lane);
    expect(comparisonView({ ...RACED, comparisons }, LOOK)).toContain('with --stop-when decided --baseline');
    const markdown = comparisonMarkdown(RACED);
    expect(markdown).toContain('- race: worse in pass rate, -0.420');
    expect(markdown).not.toContain('| measure |');
  });

  test.each([
    [-0.0001, '+0.000'],
    [-0.05, '-0.050'],
    [0.5, '+0.500'],
    [null, '-'],
  ])('the difference %p is written %s', (value, text) => expect(signed(value)).toBe(text));

  test('an unknown reason from a newer server is shown unchanged', () => {
    expect(reasonText('moon_phase:cost')).toBe('cost: moon phase');
  });
});

describe('a gate in CI', () => {
  test('a gate writes a JUnit suite: losses are failures, lack of evidence errors, warnings notes', () => {
    const report = gateJunit(DECISION);
    expect(report).toContain(
      '<testsuite name="agentclash gate release" tests="5" failures="1" errors="1" skipped="0">',
    );
    expect(report).toMatch(/name="correctness"><failure type="regression_fail:correctness"/);
    expect(report).toMatch(/name="cost"><error /);
    expect(report).toMatch(/name="latency"><system-out>/);
    expect(report).toContain('name="reliability"/>');
  });

  test('a gate without the evidence for a decision passes no dimension that it did not compare', () => {
    const reasons = ['stopped_early'];
    const open: GateDecision = {
      ...{ ...DECISION, verdict: 'insufficient_evidence', reasons, exit_code: 3, detectable: {} },
    };
    const report = gateJunit(open);
    expect(report).toContain('tests="5" failures="0" errors="1" skipped="4"');
    expect(report).toMatch(/name="gate"><error type="stopped_early"/);
    expect(report).toMatch(/name="correctness"><skipped type="not_compared"/);
  });

  test('a gate shows uncompared cases and the detectable difference, and treats neither as a problem', () => {
    const passed: GateDecision = {
      ...DECISION,
      ...{ verdict: 'pass', reasons: ['within_thresholds'], exit_code: 0 },
      ...{ notes: ['dimension_unavailable:cost'], detectable: { correctness: 0.126, tone: null } },
    };
    expect(gateView(passed, PAINT).split('\n').slice(1)).toEqual([
      '  nothing was lost beyond the policy',
      '  note: cost: not scored on both sides',
      '  correctness: a loss of 0.126 or more would have been significant with 80 % power',
      '  tone: so few cases could not show any loss',
    ]);
    const report = gateJunit(passed);
    expect(report).toContain('tests="6" failures="0" errors="0"');
    expect(report).toMatch(/name="cost"><system-out>/);
    expect(report).toContain('name="tone"/>');
    expect(gateMarkdown(passed, COMPARED)).toContain('- note: cost: not scored on both sides');
  });

  test('a gate over several agents has the cases of each in JUnit, and names the agent in every line', () => {
    const passed = { verdict: 'pass' as const, reasons: ['within_thresholds'], detectable: { cost: 0.126 } };
    const decision: GateDecision = {
      ...{ ...DECISION, reasons: ['regression_fail:chatty / cost'], detectable: {} },
      agents: [
        { agent: 'concise', ...passed },
        { agent: 'chatty', ...passed, verdict: 'fail', reasons: ['regression_fail:cost'] },
      ],
    };
    expect(gateView(decision, PAINT).split('\n').slice(1)).toEqual([
      '  concise: nothing was lost beyond the policy',
      '  chatty: cost: lost more than the policy lets pass',
      '  concise: cost: a loss of 0.126 or more would have been significant with 80 % power',
      '  chatty: cost: a loss of 0.126 or more would have been significant with 80 % power',
    ]);
    const report = gateJunit(decision);
    expect(report).toContain('tests="10" failures="1" errors="0" skipped="0"');
    expect(report).toMatch(/name="chatty \/ cost"><failure type="regression_fail:cost"/);
    expect(report).toContain('name="concise / cost"/>');
    expect(gateMarkdown(decision, COMPARED)).toContain('- chatty: cost: lost more than the policy lets pass');
  });

  test('a gate writes a Markdown summary that names of runs cannot break', () => {
    const hostile = { ...COMPARED.baseline, name: '| <b>x</b>\n# y' };
    const text = gateMarkdown(DECISION, { ...COMPARED, baseline: hostile });
    expect(text).toContain('## ❌ Gate: fail');
    expect(text).toContain('- correctness: lost more than the policy lets pass');
    expect(text).not.toContain('<b>');
    expect(text).not.toMatch(/^# y/m);
  });

  test('a gate over a race that stopped early names verdict, interval, cases and alpha in every report', () => {
    const decision: GateDecision = { ...DECISION, reasons: ['regression_fail:pass'], race: RACE };
    const line =
      'race: worse in pass rate, -0.420 [-0.700, -0.020] after 37 of 100 cases (stopped: decided; alpha 0.05)';
    expect(gateView(decision, PAINT).split('\n').slice(1)).toEqual([
      '  pass: lost more than the policy lets pass',
      `  ${line}`,
    ]);
    const report = gateJunit(decision);
    expect(report).toContain('tests="2" failures="1" errors="0"');
    expect(report).toContain(`message="pass: lost more than the policy lets pass; ${line}"`);
    const passed: GateDecision = {
      ...{ ...decision, verdict: 'pass', reasons: ['within_thresholds'], exit_code: 0 },
      race: { ...RACE, verdict: 'better', difference: 0.42, interval: [0.02, 0.7] },
    };
    expect(gateView(passed, PAINT)).toContain('the race shows no loss beyond the policy');
    expect(gateJunit(passed)).toMatch(/name="race"><system-out>race: better in pass rate, \+0\.420/);
    const open: GateDecision = {
      ...{ ...decision, verdict: 'insufficient_evidence', reasons: ['race_undecided:pass'], exit_code: 3 },
      race: { ...RACE, verdict: 'undecided' },
    };
    expect(gateJunit(open)).toMatch(/name="race"><error type="race_undecided:pass"/);
    expect(gateMarkdown(decision, RACED)).toContain('race: worse in pass rate');
  });
});
