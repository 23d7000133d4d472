import type { FailedAttempt } from '../failures/types.js';

/** A failed attempt of which only what matters is given. */
export function failure(given: Partial<FailedAttempt>): FailedAttempt {
  return {
    attempt: { outcome: 'completed' },
    evidence_tier: 'native_structured',
    validators: [],
    judges: [],
    flaked: false,
    ...given,
  };
}
