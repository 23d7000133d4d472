import type { VectorDriver } from '@agentclash/testkit/vectors';

/** One entry of a conformance file. Its other members determine its format. */
export interface Vector {
  readonly id: string;
  readonly [member: string]: unknown;
}

type DriverModule = Promise<{ driver: VectorDriver<never> }>;

/** A format of vectors: how it is recognised, and its drivers. */
export interface Format {
  readonly name: string;
  reads(vector: Vector): boolean;
  /** Loaded with the first vector of the format; each of them runs every such vector. */
  readonly drivers: readonly (() => DriverModule)[];
}

const has =
  (...members: string[]) =>
  (vector: Vector): boolean =>
    members.every((member) => Object.hasOwn(vector, member));

const ofKind =
  (...kinds: string[]) =>
  ({ kind }: Vector): boolean =>
    typeof kind === 'string' && kinds.includes(kind);

/** Scoring vectors name their kind. */
const SCORING: Format[] = [
  {
    name: 'behavioral signals',
    reads: (vector) =>
      ofKind('behavioral_signal', 'behavioral_panel')(vector) ||
      (vector.kind === 'dimension' && vector.source === 'reliability'),
    drivers: [() => import('@agentclash/grading/vectors/behavior')],
  },
  {
    name: 'scorecards',
    reads: ofKind('normalization', 'scorecard', 'dimension', 'attempt'),
    drivers: [() => import('@agentclash/grading/vectors/scorecards')],
  },
  {
    name: 'aggregation',
    reads: ofKind('aggregate', 'pass_at_k', 'wilson', 'mean_interval'),
    drivers: [() => import('@agentclash/grading/vectors/aggregate')],
  },
  {
    name: 'paired comparison',
    reads: ofKind('paired', 'sign_flip', 'mcnemar', 'holm'),
    drivers: [() => import('@agentclash/grading/vectors/comparison')],
  },
  {
    name: 'judges',
    reads: ofKind('judge_parse', 'judge_aggregate', 'judge_order', 'judge_agreement', 'judge_budget'),
    drivers: [() => import('@agentclash/grading/vectors/judges')],
  },
  {
    name: 'real trials',
    reads: ofKind('golden_agent', 'golden_pairs'),
    drivers: [() => import('@agentclash/grading/vectors/golden-trials')],
  },
  {
    name: 'failure classes',
    reads: ofKind('failure'),
    drivers: [() => import('@agentclash/grading/vectors/failures')],
  },
  {
    name: 'release gates',
    reads: ofKind('gate'),
    drivers: [() => import('@agentclash/grading/vectors/gates')],
  },
  {
    name: 'metrics',
    reads: ofKind('metric'),
    drivers: [() => import('@agentclash/grading/vectors/metrics')],
  },
  {
    name: 'ranking',
    reads: ofKind('ranking'),
    drivers: [() => import('@agentclash/grading/vectors/ranking')],
  },
  {
    name: 'evidence references',
    reads: ofKind('reference'),
    drivers: [() => import('@agentclash/grading/vectors/references')],
  },
  {
    name: 'validators',
    reads: ofKind('validator'),
    drivers: [
      () => import('@agentclash/grading/vectors/validators'),
      () => import('@agentclash/scoring-service/vectors/event-loop'),
    ],
  },
  {
    name: 'evaluation specs',
    reads: ofKind('spec'),
    drivers: [
      () => import('@agentclash/challengepack/vectors/evaluation-specs'),
      () => import('@agentclash/challengepack/vectors/editor-schema-of-specs'),
    ],
  },
];

/** The other vectors are recognised by their members. */
const EXECUTION: Format[] = [
  {
    name: 'addresses',
    reads: (vector) => has('url')(vector) && !has('request')(vector),
    drivers: [() => import('@agentclash/egress/vectors/addresses')],
  },
  {
    name: 'redirects',
    reads: has('request', 'responses'),
    drivers: [() => import('@agentclash/egress/vectors/redirects')],
  },
  {
    name: 'http requests',
    reads: has('request'),
    drivers: [() => import('@agentclash/egress/vectors/http')],
  },
  {
    name: 'call arguments',
    reads: has('schema', 'args'),
    drivers: [() => import('@agentclash/engine/vectors/arguments')],
  },
  {
    name: 'the native loop',
    reads: has('replies'),
    drivers: [() => import('@agentclash/engine/vectors/loop')],
  },
  {
    name: 'mock tools',
    reads: has('implementation', 'args'),
    drivers: [() => import('@agentclash/challengepack/vectors/mocks')],
  },
  {
    name: 'outcomes',
    reads: has('when'),
    drivers: [() => import('@agentclash/engine/vectors/outcomes')],
  },
  {
    name: 'paths',
    reads: has('tool', 'path'),
    drivers: [
      () => import('@agentclash/sandbox/vectors/paths'),
      () => import('@agentclash/engine/vectors/paths'),
    ],
  },
  {
    name: 'redaction',
    reads: has('chunks'),
    drivers: [() => import('@agentclash/engine/vectors/redaction')],
  },
  {
    name: 'retries',
    reads: (vector) => ['error', 'call', 'attempt'].some((member) => has(member)(vector)),
    drivers: [() => import('@agentclash/engine/vectors/retry')],
  },
  {
    name: 'secrets',
    reads: has('place'),
    drivers: [() => import('@agentclash/engine/vectors/secrets')],
  },
  {
    name: 'templating',
    reads: has('template', 'properties'),
    drivers: [() => import('@agentclash/challengepack/vectors/templating')],
  },
  {
    name: 'the task an agent sees',
    reads: has('challenge', 'case'),
    drivers: [() => import('@agentclash/engine/vectors/view')],
  },
  {
    name: 'visible tools',
    reads: ({ expect }) =>
      has('visible')({ ...Object(expect) }) || has('name', 'error')({ ...Object(expect) }),
    drivers: [() => import('@agentclash/engine/vectors/tools')],
  },
];

const PACKS: Format = {
  name: 'challenge packs',
  reads: has('patch'),
  drivers: [
    () => import('@agentclash/challengepack/vectors/packs'),
    () => import('@agentclash/challengepack/vectors/editor-schema-of-packs'),
    () => import('@agentclash/engine/vectors/pack-egress'),
  ],
};

const SEQUENTIAL: Format = {
  name: 'confidence sequences',
  reads: has('N', 'x', 'want'),
  drivers: [() => import('@agentclash/grading/vectors/sequential')],
};

/** The format of a vector; undefined when it is of none. A scoring vector is never taken for anything else. */
export function formatOf(vector: Vector): Format | undefined {
  const formats = has('kind')(vector) ? SCORING : [PACKS, SEQUENTIAL, ...EXECUTION];
  return formats.find((format) => format.reads(vector));
}
