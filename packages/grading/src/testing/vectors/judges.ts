import type { Consensus, JudgeKind, JudgeLimits } from '@agentclash/challengepack';
import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { aggregateSamples } from '../../judges/aggregate-samples.js';
import { type AgreementMetric, krippendorffAlpha, type RatedUnit } from '../../judges/agreement.js';
import { type Charge, JudgeBudget } from '../../judges/budget.js';
import { type NWiseRound, nWiseOrder, rankingShare } from '../../judges/n-wise.js';
import { type ReplyRules, replyReader } from '../../judges/reply.js';

type CallCharge = { call: string } & Partial<Charge>;

type Vector = { id: string; want: unknown } & (
  | ({ kind: 'judge_parse'; mode: JudgeKind; raw: string; labels?: string[] } & Partial<ReplyRules>)
  | {
      kind: 'judge_aggregate';
      mode: JudgeKind;
      samples: Record<string, (number | null)[]>;
      consensus?: Partial<Consensus> & Pick<Consensus, 'aggregation'>;
    }
  | ({ kind: 'judge_order'; agents: string[]; sample: number } & NWiseRound)
  | { kind: 'judge_agreement'; metric: AgreementMetric; units: RatedUnit[] }
  | {
      kind: 'judge_budget';
      limits: Partial<JudgeLimits>;
      steps: { reserve?: CallCharge; settle?: CallCharge }[];
    }
);

function chargeOf({ tokens = 0, usd = 0 }: CallCharge): Charge {
  return { tokens, usd };
}

const RUN: { [K in Vector['kind']]: (vector: Extract<Vector, { kind: K }>) => unknown } = {
  judge_parse: ({
    mode,
    raw,
    labels = [],
    expect = true,
    score_scale = { min: 1, max: 5 },
    output_schema,
  }) => {
    const rules: ReplyRules = { mode, expect, score_scale, ...(output_schema && { output_schema }) };
    const { ranking, ...reading } = replyReader(rules)(raw, labels);
    if (ranking === null) return reading;
    const shares = ranking.map((label, position) => [label, rankingShare(position, labels.length)]);
    return { ...reading, score: Object.fromEntries(shares) };
  },
  judge_aggregate: ({ mode, samples, consensus }) =>
    aggregateSamples(
      {
        mode,
        ...(consensus && {
          consensus: { min_agreement_threshold: 0.25, flag_on_disagreement: false, ...consensus },
        }),
      },
      Object.entries(samples).map(([model, scores]) => ({ model, scores })),
    ),
  judge_order: ({ agents, sample, ...round }) => ({ order: nWiseOrder(round, agents, sample) }),
  judge_agreement: ({ units, metric }) => ({ alpha: krippendorffAlpha(units, metric) }),
  judge_budget: ({ limits, steps }) => {
    const budget = new JudgeBudget({ max_tokens: 0, max_calls_usd: 0, ...limits });
    const calls = steps.flatMap(({ reserve, settle }) => {
      if (settle) budget.settle(settle.call, chargeOf(settle));
      return reserve
        ? [{ call: reserve.call, allowed: budget.reserve(reserve.call, chargeOf(reserve)) }]
        : [];
    });
    return { calls, spent: limits.max_calls_usd === undefined ? budget.spent.tokens : budget.spent.usd };
  },
};

export const driver: VectorDriver<Vector> = {
  run(vector) {
    const run = RUN[vector.kind] as (vector: Vector) => unknown;
    expectNear(run(vector), vector.want);
  },
};
