import {
  type Dimension,
  type DimensionSource,
  type Direction,
  type JsonValue,
  type Normalization,
  readEvaluationSpec,
  type Scorecard as ScorecardSpec,
} from '@agentclash/challengepack';
import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import type { AttemptEvidence, Votes } from '../../evidence/types.js';
import { buildScorecard } from '../../scorecard/build-scorecard.js';
import { type DimensionScore, normalizeScore, SOURCES } from '../../scorecard/dimension-sources.js';
import { scoreAttempt } from '../../scorecard/score-attempt.js';
import type { ValidatorResult } from '../../validators/result.js';

type Vector = { id: string; want: unknown } & (
  | ({ kind: 'normalization'; value: number; better_direction: Direction } & Normalization)
  | {
      kind: 'scorecard';
      scorecard: Omit<ScorecardSpec, 'dimensions'> & { dimensions: (Partial<Dimension> & { key: string })[] };
      dimension_results: Record<string, Pick<DimensionScore, 'state' | 'score'>>;
    }
  | { kind: 'dimension'; source: DimensionSource; validators?: ValidatorResult[]; votes?: Votes }
  | { kind: 'attempt'; spec: JsonValue; evidence: AttemptEvidence }
);

function dimension(given: Partial<Dimension>): Dimension {
  return {
    key: 'dimension',
    source: 'validators',
    validators: [],
    better_direction: 'higher',
    weight: 1,
    gate: false,
    ...given,
  };
}

const RUN: { [K in Vector['kind']]: (vector: Extract<Vector, { kind: K }>) => unknown } = {
  normalization: ({ value, target, max, better_direction }) => ({
    score: normalizeScore(value, { target, max }, better_direction),
  }),
  scorecard: ({ scorecard, dimension_results }) =>
    buildScorecard(scorecard, {
      dimensions: scorecard.dimensions.map((given) => ({
        dimension: dimension(given),
        score: {
          state: 'unavailable',
          score: null,
          reason: null,
          raw: null,
          ...dimension_results[given.key],
        },
      })),
      validators: [],
      metrics: [],
      judges: [],
      cost_usd: null,
    }),
  dimension: ({ source, validators = [], votes }) =>
    SOURCES[source](dimension({ source }), {
      behavioral: undefined,
      attempt: { outcome: 'completed' },
      votes,
      validators,
      metrics: [],
      judges: [],
      measured: {
        events: [],
        pricing: { models: [] },
        behavior: { calls: [], mismatches: [], validators },
        validators,
      },
    }),
  attempt: ({ spec, evidence }) => scoreAttempt(readEvaluationSpec(spec), evidence),
};

export const driver: VectorDriver<Vector> = {
  run(vector) {
    const run = RUN[vector.kind] as (vector: Vector) => unknown;
    expectNear(run(vector), vector.want);
  },
};
