/** The outcome of an attempt (execution 1.5). */
export const OUTCOMES = [
  'completed',
  'agent_error',
  'limit_reached',
  'policy_violation',
  'provider_error',
  'infra_error',
  'cancelled',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Failures of the platform or of a model provider: missing data that a retry may still bring. */
const PLATFORM_OUTCOMES = ['provider_error', 'infra_error'] as const satisfies readonly Outcome[];

export function isPlatformOutcome(outcome: Outcome): boolean {
  return (PLATFORM_OUTCOMES as readonly Outcome[]).includes(outcome);
}

/** Outcomes that are no verdict on the agent: missing data, never a zero. */
export const UNGRADED_OUTCOMES = [...PLATFORM_OUTCOMES, 'cancelled'] as const satisfies readonly Outcome[];

const UNGRADED: ReadonlySet<unknown> = new Set(UNGRADED_OUTCOMES);

/** True when the agent's work is what ended the attempt; an outcome of a newer release counts as graded. */
export function isGraded(outcome: string | null | undefined): boolean {
  return !UNGRADED.has(outcome);
}

/** Which limit ended an attempt with `limit_reached`. */
export const LIMIT_KINDS = [
  'time',
  'iterations',
  'tool_calls',
  'tokens',
  'cost',
  'context',
  'output',
  'memory',
  'events',
] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** The source of the final output of a completed attempt; `none` for every other outcome. */
const FINISHED_BY = ['submit', 'message', 'program', 'endpoint', 'script', 'conversation', 'none'] as const;
export type FinishedBy = (typeof FINISHED_BY)[number];

/** The outcome of a model call that held a slot of its account: `rate_limited` is a 429 or 529. */
export const SLOT_OUTCOMES = ['success', 'rate_limited', 'failed'] as const;
export type SlotOutcome = (typeof SLOT_OUTCOMES)[number];
