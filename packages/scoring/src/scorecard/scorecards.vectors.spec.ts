import {
  type Dimension,
  type DimensionSource,
  type Direction,
  type JsonValue,
  type Normalization,
  readEvaluationSpec,
  type Scorecard as ScorecardSpec,
} from '@agentclash/challengepack';
import { expectNear, vectorSuite } from '@agentclash/testkit';
import type { AttemptEvidence, Votes } from '../evidence/types.js';
import type { ValidatorResult } from '../validators/result.js';
import { buildScorecard } from './build-scorecard.js';
import { type DimensionScore, SOURCES } from './dimension-sources.js';
import { normalizeScore } from './normalize.js';
import { scoreAttempt } from './score-attempt.js';

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

vectorSuite<Vector>('scoring-scorecards.yaml', async (vector) => {
  const run = RUN[vector.kind] as (vector: Vector) => unknown;
  expectNear(await run(vector), vector.want);
});
