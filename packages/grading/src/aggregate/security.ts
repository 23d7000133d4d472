import type { RunAgentScorecard, ScoredAttempt } from './types.js';

/** Every incident with its attempt; null when the pack is no security pack or no attempt was graded. */
export function runAgentSecurity(
  attempts: readonly ScoredAttempt[],
): NonNullable<RunAgentScorecard['security']> | null {
  const judged = attempts.flatMap(({ case_key, repetition, scorecard }) => {
    const security = scorecard?.security;
    return security ? [{ case_key, repetition, security }] : [];
  });
  if (judged.length === 0) return null;
  return {
    passed: judged.every(({ security }) => security.passed),
    incidents: judged.flatMap(({ case_key, repetition, security }) =>
      security.incidents.map((incident) => ({ ...incident, case_key, repetition })),
    ),
  };
}
