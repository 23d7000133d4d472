import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { compareRunAgents } from '../../comparison/compare.js';
import { type Counts, scorecardOf, side } from '../trials.js';

interface GoldenAgent {
  counts: Counts;
  want: {
    cases: number;
    trials: number;
    successes: number;
    pass_rate: number;
    se_clustered: number;
    ci95?: [number, number];
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

/** One agent's trials, or all comparisons of agents, which are adjusted as one family. */
type Vector = { id: string } & (
  | { kind: 'golden_agent'; agent: GoldenAgent }
  | { kind: 'golden_pairs'; agents: Record<string, GoldenAgent>; pairs: GoldenPair[] }
);

export const driver: VectorDriver<Vector> = {
  run(vector) {
    if (vector.kind === 'golden_agent') expectAgent(vector.agent);
    else expectPairs(vector.agents, vector.pairs);
  },
};

function expectAgent({ counts, want }: GoldenAgent): void {
  const scorecard = scorecardOf(counts);
  expectNear(scorecard.pass_rate, {
    n: want.cases,
    mean: want.pass_rate,
    se: want.se_clustered,
    ...(want.ci95 !== undefined && { ci: want.ci95 }),
  });
  expect(scorecard.cases.reduce((total, summary) => total + summary.trials, 0)).toBe(want.trials);
  expect(scorecard.cases.reduce((total, summary) => total + summary.successes, 0)).toBe(want.successes);
  const valued = (shares: Record<string, number>) =>
    Object.fromEntries(Object.entries(shares).map(([k, value]) => [k, { value, cases: want.cases }]));
  expectNear(scorecard.pass_at_k, valued(want.pass_at_k));
  expectNear(scorecard.pass_hat_k, valued(want.pass_hat_k));
  expectNear(scorecard.flake_rate, want.flake_rate);
}

function expectPairs(agents: Record<string, GoldenAgent>, pairs: GoldenPair[]): void {
  const sideOf = (id: string) => side(id, agents[id]?.counts ?? {});
  const comparisons = compareRunAgents(
    pairs.map((pair) => ({ baseline: sideOf(pair.baseline), candidate: sideOf(pair.candidate) })),
  );
  for (const [index, want] of pairs.entries()) {
    const pass = comparisons[index]?.pass;
    const { n, mean_difference, sd, se, t, df, mde, cases_needed, verdict } = want;
    expectNear(pass, { n, mean_difference, sd, se, t, df, mde, cases_needed, verdict, ci: want.ci95 });
    expect(relative(pass?.p, want.p)).toBeLessThan(1e-6);
    expect(relative(pass?.p_adjusted, want.p_holm)).toBeLessThan(1e-6);
  }
}

function relative(actual: number | null | undefined, want: number): number {
  return Math.abs((actual ?? Number.NaN) - want) / want;
}
