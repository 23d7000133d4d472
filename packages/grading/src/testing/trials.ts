import { aggregateAttempts } from '../aggregate/aggregate.js';
import type { AttemptFacts } from '../aggregate/attempt-facts.js';
import type { RunAgentScorecard } from '../aggregate/types.js';
import type { ComparisonSide } from '../comparison/types.js';

/** Successes and trials by task. */
export type Counts = Record<string, [successes: number, trials: number]>;

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

/** The scorecard of an agent that only passes or fails. */
export function scorecardOf(counts: Counts): RunAgentScorecard {
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

/** That scorecard as a side of a comparison. */
export function side(id: string, counts: Counts): ComparisonSide {
  return {
    run_agent_id: id,
    challenge_pack_version_id: 'version',
    challenge_input_set_id: 'input-set',
    evaluation_spec_id: 'spec',
    scorecard: scorecardOf(counts),
  };
}
