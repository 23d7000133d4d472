import { describe, expect, test } from '@jest/globals';
import { isGraded, isPlatformOutcome, OUTCOMES, UNGRADED_OUTCOMES } from './outcome.js';

describe('outcomes', () => {
  test('each outcome either grades the agent or is missing data (execution 1.5)', () => {
    expect(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, isGraded(outcome)]))).toEqual({
      completed: true,
      agent_error: true,
      limit_reached: true,
      policy_violation: true,
      provider_error: false,
      infra_error: false,
      cancelled: false,
    });
  });

  test('the ungraded outcomes are those of the platform and the cancel of a user', () => {
    expect(OUTCOMES.filter((outcome) => !isGraded(outcome))).toEqual(UNGRADED_OUTCOMES);
    expect(UNGRADED_OUTCOMES.filter((outcome) => !isPlatformOutcome(outcome))).toEqual(['cancelled']);
  });

  test('an outcome that this release does not know counts as graded, and so does an absent outcome', () => {
    expect([isGraded('of_a_newer_release'), isGraded(null), isGraded(undefined)]).toEqual([true, true, true]);
  });
});
