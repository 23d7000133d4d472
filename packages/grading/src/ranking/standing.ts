import type { RunAgentScorecard } from '../aggregate/types.js';
import { isTooMuchMissing } from '../aggregate/verdict.js';
import type { Standing } from './types.js';

/** The figures of a run agent's scorecard that a ranking looks at. */
export function standingOf(id: string, scorecard: RunAgentScorecard): Standing {
  return {
    id,
    validity: scorecard.validity,
    too_much_missing: isTooMuchMissing(scorecard),
    passed: scorecard.passed,
    overall: scorecard.overall.mean,
    correctness: scorecard.dimensions.correctness?.mean ?? null,
    reliability: scorecard.dimensions.reliability?.mean ?? null,
  };
}
