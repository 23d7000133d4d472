const UNGRADABLE =
  'a case lacks the expectation that its validator compares with: no attempt at it can be graded, which is an error';

/** Vectors that are considered wrong, by file and id, each with the reason. They are reported as skipped. */
export const DISPUTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'challenge-pack.yaml': {
    'cp-128-item-key-not-checked': UNGRADABLE,
    'cp-130-timeout-zero': UNGRADABLE,
    'cp-136-stored-timeout': UNGRADABLE,
    'cp-138-stored-empty-payload': UNGRADABLE,
    'cp-142-legacy-items-with-empty-cases': UNGRADABLE,
    'cp-150-expectation-bare': UNGRADABLE,
    'cp-304-agent-view': UNGRADABLE,
    'cp-224-secret-host-literal':
      'its second tool sends a secret to a public host over plain http, which is an error',
    'cp-248-instructions-lenient':
      'a placeholder without a value in instructions would reach the agent as it is written, which is an error',
    'cp-250-simulator':
      'its calibration and arena are not implemented: nothing would act upon them, which is an error with the reason',
    'cp-288-voice':
      'nothing executes a voice conversation: a pack whose every run would be refused is an error with the reason',
    'cp-272-security-any-family':
      'its adversarial prompt is in no case, which every agent would pass: refused',
  },
  'scoring-aggregate.yaml': {
    'aggregate-004':
      'an agent with more missing attempts than max_missing_share (default 0.05) has no verdict passed',
  },
  'execution-outcomes.yaml': {
    'out-036':
      'an endpoint that replies with any 5xx is retried and then missing: its server failed, not its reply',
    'out-040':
      'an endpoint that refuses with a 4xx has failed the case itself: missing data would reward refusing',
  },
};
