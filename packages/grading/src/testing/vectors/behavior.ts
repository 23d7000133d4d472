import type { Behavioral, BehavioralSignalKey, Dimension } from '@agentclash/challengepack';
import { isGraded } from '@agentclash/domain';
import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { behavioralPanel } from '../../behavior/panel.js';
import { type BehaviorEvidence, SIGNALS } from '../../behavior/signals.js';
import { type FinishedToolCall, workingCalls } from '../../evidence/tool-trace.js';
import type { RecordedEnd } from '../../evidence/types.js';
import { missing, SOURCES } from '../../scorecard/dimension-sources.js';
import type { ValidatorResult } from '../../validators/result.js';

type CallRow = Omit<FinishedToolCall, 'sequence_number' | 'failure_origin'> & { failure_origin?: string };

interface Given {
  tool_calls: CallRow[];
  turns?: { mismatch: boolean }[];
  validators?: ValidatorResult[];
}

type Vector = { id: string; want: unknown } & Given &
  (
    | { kind: 'behavioral_signal'; signal: BehavioralSignalKey }
    | { kind: 'behavioral_panel'; signals: Behavioral['signals'] }
    | { kind: 'dimension'; source: 'reliability'; attempt: RecordedEnd }
  );

function evidenceOf({ tool_calls, turns = [], validators = [] }: Given): BehaviorEvidence {
  const trace = tool_calls.map((call, index) => ({
    ...call,
    sequence_number: index + 1,
    failure_origin: call.failure_origin ?? null,
  }));
  return { calls: workingCalls(trace), mismatches: turns.map(({ mismatch }) => mismatch), validators };
}

const RELIABILITY: Dimension = {
  key: 'reliability',
  source: 'reliability',
  validators: [],
  better_direction: 'higher',
  weight: 1,
  gate: false,
};

const RUN: { [K in Vector['kind']]: (vector: Extract<Vector, { kind: K }>) => unknown } = {
  behavioral_signal: (vector) => {
    const score = SIGNALS[vector.signal](evidenceOf(vector));
    return { state: score === null ? 'unavailable' : 'available', score };
  },
  behavioral_panel: (vector) => behavioralPanel(vector, evidenceOf(vector)),
  dimension: ({ attempt, source, ...given }) => {
    if (!isGraded(attempt.outcome)) return missing('unavailable', 'attempt_not_graded');
    const behavior = evidenceOf(given);
    return SOURCES[source](RELIABILITY, {
      behavioral: undefined,
      attempt,
      votes: undefined,
      validators: [],
      metrics: [],
      judges: [],
      measured: { events: [], pricing: { models: [] }, behavior, validators: [] },
    });
  },
};

export const driver: VectorDriver<Vector> = {
  run(vector) {
    const run = RUN[vector.kind] as (vector: Vector) => unknown;
    expectNear(run(vector), vector.want);
  },
};
