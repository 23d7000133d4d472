import { expectNear, vectorSuite } from '@agentclash/testkit';
import { expect, test } from '@jest/globals';
import { aggregateAttempts } from '../aggregate/aggregate.js';
import type { AttemptFacts } from '../aggregate/attempt-facts.js';
import type { RunAgentScorecard } from '../aggregate/types.js';
import { compareRunAgents } from './compare.js';
import type { ComparisonSide } from './types.js';

/** Successes and trials by task. */
type Counts = Record<string, [successes: number, trials: number]>;

interface GoldenAgent {
  counts: Counts;
  want: {
    cases: number;
    trials: number;
    successes: number;
    pass_rate: number;
    se_clustered: number;
    ci95: [number, number];
    pass_at_k: Record<string, number>;
    pass_hat_k: Record<string, number>;
    flake_rate: number;
  };
}

interface GoldenPair {
  baseline: string;
  candidate: string;
  n: number;
  mean_difference: number;
  sd: number;
  se: number;
  ci95: [number, number];
  t: number;
  df: number;
  p: number;
  p_holm: number;
  verdict: string;
  mde: number;
  cases_needed: number;
}

interface Golden {
  agents: Record<string, GoldenAgent>;
  pairs: GoldenPair[];
}

function goldenOf(document: Record<string, unknown>): Golden {
  return document as { [K in keyof Golden]: Golden[K] };
}

function trial(caseKey: string, passed: boolean): AttemptFacts {
  return {
    case_key: caseKey,
    overall: null,
    passed,
    reason: passed ? 'threshold_met' : 'below_threshold',
    validity: 'valid',
    gates: {},
    dimensions: {},
    raw: {},
  };
}

function scorecardOf(counts: Counts): RunAgentScorecard {
  const attempts = Object.entries(counts).flatMap(([task, [successes, trials]]) =>
    Array.from({ length: trials }, (_, index) => trial(task, index < successes)),
  );
  return aggregateAttempts({
    strategy: 'weighted',
    pass_threshold: 0.5,
    dimensions: [],
    gates: [],
    attempts,
    planned_attempts: attempts.length,
    draws: [1, 2, 3, 4, 5],
  });
}

function side(id: string, counts: Counts): ComparisonSide {
  return {
    run_agent_id: id,
    challenge_pack_version_id: 'version',
    challenge_input_set_id: 'input-set',
    evaluation_spec_id: 'spec',
    scorecard: scorecardOf(counts),
  };
}

vectorSuite<{ id: string; agent: GoldenAgent }>(
  'scoring-golden-trials.json',
  ({ agent: { counts, want } }) => {
    const scorecard = scorecardOf(counts);
    expectNear(scorecard.pass_rate, {
      n: want.cases,
      mean: want.pass_rate,
      se: want.se_clustered,
      ci: want.ci95,
    });
    expect(scorecard.cases.reduce((total, summary) => total + summary.trials, 0)).toBe(want.trials);
    expect(scorecard.cases.reduce((total, summary) => total + summary.successes, 0)).toBe(want.successes);
    const valued = (shares: Record<string, number>) =>
      Object.fromEntries(Object.entries(shares).map(([k, value]) => [k, { value, cases: want.cases }]));
    expectNear(scorecard.pass_at_k, valued(want.pass_at_k));
    expectNear(scorecard.pass_hat_k, valued(want.pass_hat_k));
    expectNear(scorecard.flake_rate, want.flake_rate);
  },
  { select: (document) => Object.entries(goldenOf(document).agents).map(([id, agent]) => ({ id, agent })) },
);

vectorSuite<{ id: string }>(
  'scoring-golden-trials.json',
  (_, document) => {
    const { agents, pairs } = goldenOf(document);
    const sideOf = (id: string) => side(id, agents[id]?.counts ?? {});
    const comparisons = compareRunAgents(
      pairs.map((pair) => ({ baseline: sideOf(pair.baseline), candidate: sideOf(pair.candidate) })),
    );
    pairs.forEach((want, index) => {
      const pass = comparisons[index]?.pass;
      const { n, mean_difference, sd, se, t, df, mde, cases_needed, verdict } = want;
      expectNear(pass, { n, mean_difference, sd, se, t, df, mde, cases_needed, verdict, ci: want.ci95 });
      expect(relative(pass?.p, want.p)).toBeLessThan(1e-6);
      expect(relative(pass?.p_adjusted, want.p_holm)).toBeLessThan(1e-6);
    });
  },
  { select: () => [{ id: 'all pairs of real agents, adjusted as one family' }] },
);

function relative(actual: number | null | undefined, want: number): number {
  return Math.abs((actual ?? Number.NaN) - want) / want;
}

test('a comparison of many real cases stays quick', () => {
  const counts: Counts = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index): [string, [number, number]] => [
      `case-${index}`,
      [index % 4, 3],
    ]),
  );
  const started = performance.now();
  compareRunAgents([{ baseline: side('a', counts), candidate: side('b', counts) }]);
  expect(performance.now() - started).toBeLessThan(2_000);
});
