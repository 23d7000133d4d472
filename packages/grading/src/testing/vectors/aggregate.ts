import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { type AggregateInput, aggregateAttempts } from '../../aggregate/aggregate.js';
import type { AttemptFacts } from '../../aggregate/attempt-facts.js';
import { estimateMean, passAtK, passHatK, wilsonInterval } from '../../statistics/sample.js';

interface Counts {
  successes: number;
  trials: number;
}

type Vector = { id: string; want: unknown } & (
  | ({ kind: 'aggregate'; k: number[]; attempts: AttemptRow[]; gates?: string[] } & Pick<
      AggregateInput,
      'strategy' | 'pass_threshold' | 'planned_attempts'
    >)
  | ({ kind: 'pass_at_k'; k: number } & Counts)
  | ({ kind: 'wilson' } & Counts)
  | { kind: 'mean_interval'; values: number[] }
);

type AttemptRow = Partial<AttemptFacts> &
  Pick<AttemptFacts, 'overall' | 'passed' | 'validity'> & { case: string };

function aggregate(vector: Extract<Vector, { kind: 'aggregate' }>) {
  const attempts = vector.attempts.map(
    (row): AttemptFacts => ({ reason: null, gates: {}, dimensions: {}, raw: {}, ...row, case_key: row.case }),
  );
  return aggregateAttempts({
    strategy: vector.strategy,
    pass_threshold: vector.pass_threshold,
    planned_attempts: vector.planned_attempts,
    attempts,
    dimensions: [...new Set(attempts.flatMap((attempt) => Object.keys(attempt.dimensions)))],
    gates: vector.gates ?? [],
    draws: vector.k,
  });
}

const RUN: { [K in Vector['kind']]: (vector: Extract<Vector, { kind: K }>) => unknown } = {
  aggregate,
  pass_at_k: ({ successes, trials, k }) => ({
    pass_at_k: passAtK(successes, trials, k),
    pass_hat_k: passHatK(successes, trials, k),
  }),
  wilson: ({ successes, trials }) => ({ interval: wilsonInterval(successes, trials) }),
  mean_interval: ({ values }) => estimateMean(values),
};

export const driver: VectorDriver<Vector> = {
  run(vector) {
    const run = RUN[vector.kind] as (vector: Vector) => unknown;
    expectNear(run(vector), vector.want);
  },
};
