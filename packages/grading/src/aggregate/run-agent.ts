import { compareCodePoints, type EvaluationSpec } from '@agentclash/challengepack';
import type { MissingAttempts } from '@agentclash/domain';
import { aggregateAttempts, drawsReported } from './aggregate.js';
import { type AttemptFacts, type AttemptSummary, attemptFacts } from './attempt-facts.js';
import { countedAttempts, type StoppedLane } from './stopped.js';
import type { RunAgentScorecard, ScoredAttempt } from './types.js';

export interface RunAgentInput {
  readonly attempts: readonly ScoredAttempt[];
  /** Cases × repetitions of the run, whether or not an attempt exists. */
  readonly planned_attempts: number;
  /** 1..100. */
  readonly repetitions: number;
  /** For a lane of a race that stopped before its last case; `planned_attempts` are then those of its counted cases. */
  readonly stopped?: StoppedLane;
}

/** The scorecard of a run agent, from the scorecards of its attempts under one evaluation spec. */
export function aggregateRunAgent(spec: EvaluationSpec, input: RunAgentInput): RunAgentScorecard {
  const { strategy, pass_threshold, max_missing_share, dimensions } = spec.scorecard;
  const { stopped } = input;
  const attempts = countedAttempts(input.attempts, stopped).toSorted(byCaseAndRepetition);
  const aggregated = aggregateAttempts({
    strategy,
    pass_threshold,
    max_missing_share,
    dimensions: dimensions.map((dimension) => dimension.key),
    gates: dimensions.filter((dimension) => dimension.gate).map((dimension) => dimension.key),
    attempts: factsOf(attempts),
    planned_attempts: input.planned_attempts,
    draws: drawsReported(input.repetitions),
    stopped,
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

/** Attempts that ended alike share their summary, and then their facts. */
function factsOf(attempts: readonly ScoredAttempt[]): AttemptFacts[] {
  const known = new Map<AttemptSummary, AttemptFacts>();
  return attempts.flatMap(({ case_key, scorecard }) => {
    if (scorecard === null) return [];
    const shared = known.get(scorecard);
    if (shared !== undefined) return [{ ...shared, case_key }];
    const facts = attemptFacts(case_key, scorecard);
    known.set(scorecard, facts);
    return [facts];
  });
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

/** Why one attempt has no usable scorecard: the code of an error, else how it ended. */
interface MissingAttempt {
  readonly case_key: string;
  readonly reason: string;
}

/** Attempts of one case that are missing for one reason. */
interface MissingCase extends MissingAttempt {
  readonly attempts: number;
}

export const MISSING_CASES_MAX = 50;

/** Of attempts that were planned and of which nothing is stored. */
const NEVER_SCORED = 'not_scored';

/** Undefined when nothing is missing. `planned` counts usable attempts too. */
export function missingAttempts(
  missing: readonly MissingAttempt[],
  { planned, usable }: { planned: number; usable: number },
): MissingAttempts | undefined {
  const unknown = Math.max(0, planned - usable - missing.length);
  const attempts = missing.length + unknown;
  if (attempts === 0) return undefined;
  const reasons = new Map<string, number>(unknown > 0 ? [[NEVER_SCORED, unknown]] : []);
  const cases = new Map<string, MissingCase>();
  for (const { case_key, reason } of missing) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const key = JSON.stringify([case_key, reason]);
    cases.set(key, { case_key, reason, attempts: (cases.get(key)?.attempts ?? 0) + 1 });
  }
  return {
    attempts,
    reasons: [...reasons]
      .map(([reason, count]) => ({ reason, attempts: count }))
      .sort((a, b) => b.attempts - a.attempts || compareCodePoints(a.reason, b.reason)),
    cases: [...cases.values()].sort(mostFrequentFirst).slice(0, MISSING_CASES_MAX),
  };
}

function mostFrequentFirst(a: MissingCase, b: MissingCase): number {
  return (
    b.attempts - a.attempts ||
    compareCodePoints(a.case_key, b.case_key) ||
    compareCodePoints(a.reason, b.reason)
  );
}
