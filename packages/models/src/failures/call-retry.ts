import { jitter } from '@agentclash/domain';
import { PROVIDER_FAILURES, type ProviderFailureClass } from './failure.js';

const TRIES_MAX = 3;
const BASE_DELAY_MS = 250;
const RATE_LIMIT_DELAY_MS = 2_000;
/** A longer `Retry-After` ends the call; the hint then delays the next delivery. */
const RETRY_AFTER_MAX_SECONDS = 60;

export type CallRetry = { retry: true; delayMs: number } | { retry: false };

/** The retry of a failed model call and its delay. `failedTry` counts from 1, `random` is in [0, 1). */
export function planCallRetry(failure: {
  class: ProviderFailureClass;
  failedTry: number;
  retryAfterSeconds?: number;
  random: number;
}): CallRetry {
  const { failedTry, retryAfterSeconds, random } = failure;
  if (!PROVIDER_FAILURES[failure.class].retryable || failedTry >= TRIES_MAX) return { retry: false };
  if (retryAfterSeconds !== undefined) {
    if (retryAfterSeconds > RETRY_AFTER_MAX_SECONDS) return { retry: false };
    return { retry: true, delayMs: retryAfterSeconds * 1_000 + random * 1_000 };
  }
  const backoff = BASE_DELAY_MS * 2 ** (failedTry - 1);
  const atLeast = failure.class === 'rate_limit' ? RATE_LIMIT_DELAY_MS : 0;
  return { retry: true, delayMs: Math.max(backoff, atLeast) * jitter(random) };
}
