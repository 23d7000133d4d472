/** Vectors believed to be wrong, by file and id, each with the reason. They show as skipped, never silently. */
export const DISPUTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'scoring-aggregate.yaml': {
    'aggregate-004':
      'an agent with more missing attempts than max_missing_share (default 0.05) has no verdict passed',
  },
  'execution-outcomes.yaml': {
    'out-036':
      'an endpoint that replies with any 5xx is retried and then missing: its server failed, not its answer',
    'out-040':
      'an endpoint that refuses with a 4xx has failed the case itself: missing data would reward refusing',
  },
};
