import type { Scorecard } from '../scorecard/types.js';

/** What aggregation reads of a scorecard: little enough to keep thousands of them. */
export type AttemptSummary = Pick<
  Scorecard,
  'overall' | 'passed' | 'reason' | 'validity' | 'dimensions' | 'security'
>;

/** A scorecard without its validators, metrics and judges. */
export function summarizeAttempt(scorecard: AttemptSummary): AttemptSummary {
  const { overall, passed, reason, validity, dimensions, security } = scorecard;
  return { overall, passed, reason, validity, dimensions, ...(security !== undefined && { security }) };
}
