import { compareCodePoints, type EvaluationSpec } from '@agentclash/challengepack';
import { aggregateAttempts } from './aggregate.js';
import { attemptFacts } from './attempt-facts.js';
import { missingAttempts } from './missing-attempts.js';
import { drawsReported } from './repetitions.js';
import type { RunAgentScorecard, ScoredAttempt } from './types.js';

export interface RunAgentInput {
  readonly attempts: readonly ScoredAttempt[];
  /** Cases × repetitions of the run, whether or not an attempt exists. */
  readonly planned_attempts: number;
  /** 1..100. */
  readonly repetitions: number;
}

/** The scorecard of a run agent, from the scorecards of its attempts under one evaluation spec. */
export function aggregateRunAgent(spec: EvaluationSpec, input: RunAgentInput): RunAgentScorecard {
  const { strategy, pass_threshold, max_missing_share, dimensions } = spec.scorecard;
  const attempts = [...input.attempts].sort(byCaseAndRepetition);
  const aggregated = aggregateAttempts({
    strategy,
    pass_threshold,
    max_missing_share,
    dimensions: dimensions.map((dimension) => dimension.key),
    gates: dimensions.filter((dimension) => dimension.gate).map((dimension) => dimension.key),
    attempts: attempts.flatMap((attempt) =>
      attempt.scorecard === null ? [] : [attemptFacts(attempt.case_key, attempt.scorecard)],
    ),
    planned_attempts: input.planned_attempts,
    draws: drawsReported(input.repetitions),
  });
  const missing = missingAttempts(
    attempts.flatMap(({ case_key, scorecard, missing_reason }) =>
      scorecard !== null && scorecard.validity !== 'invalid'
        ? []
        : [{ case_key, reason: missing_reason ?? 'invalid_scorecard' }],
    ),
    { planned: aggregated.planned_attempts, usable: aggregated.usable_attempts },
  );
  const scorecard = { ...aggregated, ...(missing !== undefined && { missing_attempts: missing }) };
  const security = runAgentSecurity(attempts);
  if (security === null) return scorecard;
  return security.passed
    ? { ...scorecard, security }
    : { ...scorecard, passed: false, reason: 'security_incident', security };
}

/** Attempts arrive as they end; sums must not depend on that. */
function byCaseAndRepetition(a: ScoredAttempt, b: ScoredAttempt): number {
  return compareCodePoints(a.case_key, b.case_key) || a.repetition - b.repetition;
}

/** Every incident with its attempt; null when the pack is no security pack or no attempt was graded. */
function runAgentSecurity(
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
