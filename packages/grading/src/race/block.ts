import type { Strategy } from '@agentclash/challengepack';
import { type AttemptSummary, attemptFacts } from '../aggregate/attempt-facts.js';
import { trialOf } from '../aggregate/cases.js';
import { mean } from '../statistics/sample.js';
import type { RaceMetric } from './types.js';

/**
 * The value of a block: the mean of the metric over the usable attempts of one case of one lane; null without any.
 * `scorecards` has one entry per repetition, null where an attempt has none.
 */
export function blockValue(
  scorecards: readonly (AttemptSummary | null)[],
  { metric, strategy }: { metric: RaceMetric; strategy: Strategy },
): number | null {
  const usable = scorecards.flatMap((scorecard) =>
    scorecard === null || scorecard.validity === 'invalid' ? [] : [attemptFacts('', scorecard)],
  );
  return mean(
    usable.flatMap((attempt) => (metric === 'overall' ? attempt.overall : trialOf(attempt, strategy)) ?? []),
  );
}
