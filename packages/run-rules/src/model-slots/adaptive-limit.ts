const LIMIT_START = 10;

import type { SlotOutcome } from '@agentclash/domain';

const LIMIT_MAX_DEFAULT = 100;
const USED_SHARE = 0.8;
const HALVING_GAP_MS = 10_000;
/** The longest delay of a delivery: a provider's hint of a day must not block the account that long. */
const BLOCKED_MS_MAX = 600_000;

/** The concurrency limit of one provider account; a plain value, times in milliseconds since the epoch. */
export interface AdaptiveLimit {
  /** Calls that may be on the wire at once; at least 1. */
  readonly limit: number;
  /** Successes since the limit last changed, counted only while it was nearly used up. */
  readonly successes: number;
  readonly halvedAtMs: number | null;
  /** Nothing is admitted before. */
  readonly blockedUntilMs: number;
}

/** The outcome of one call, and the state of the account then. */
export interface LimitStep {
  outcome: SlotOutcome;
  /** Calls on the wire, the one that ended included. */
  inUse: number;
  nowMs: number;
  /** The account's `max_concurrency`. */
  max?: number;
  retryAfterMs?: number;
}

export function startLimit(max = LIMIT_MAX_DEFAULT): AdaptiveLimit {
  return { limit: clamp(LIMIT_START, max), successes: 0, halvedAtMs: null, blockedUntilMs: 0 };
}

/** True when one more call may go out. */
export function admits(state: AdaptiveLimit, { inUse, nowMs }: { inUse: number; nowMs: number }): boolean {
  return nowMs >= state.blockedUntilMs && inUse < state.limit;
}

/** The limit after a call: grows by one after as many successes as it allows, halves when the provider is overrun. */
export function nextLimit(state: AdaptiveLimit, step: LimitStep): AdaptiveLimit {
  const { outcome, nowMs, max = LIMIT_MAX_DEFAULT, retryAfterMs = 0 } = step;
  const blockedUntilMs = Math.max(
    state.blockedUntilMs,
    retryAfterMs > 0 ? nowMs + Math.min(retryAfterMs, BLOCKED_MS_MAX) : 0,
  );
  const kept = { ...state, limit: clamp(state.limit, max), blockedUntilMs };
  if (outcome === 'rate_limited') return halved(kept, nowMs);
  return outcome === 'success' ? grown(kept, step.inUse, max) : kept;
}

function halved(state: AdaptiveLimit, nowMs: number): AdaptiveLimit {
  if (state.halvedAtMs !== null && nowMs - state.halvedAtMs < HALVING_GAP_MS) return state;
  const limit = Math.max(1, Math.floor(state.limit / 2));
  return { ...state, limit, successes: 0, halvedAtMs: nowMs };
}

function grown(state: AdaptiveLimit, inUse: number, max: number): AdaptiveLimit {
  if (inUse < state.limit * USED_SHARE) return state;
  const successes = state.successes + 1;
  if (successes < state.limit) return { ...state, successes };
  return { ...state, limit: clamp(state.limit + 1, max), successes: 0 };
}

function clamp(limit: number, max: number): number {
  return Math.max(1, Math.min(limit, Math.floor(max)));
}
