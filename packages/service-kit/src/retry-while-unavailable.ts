import { setTimeout as pause } from 'node:timers/promises';
import { ContractError } from '@agentclash/contracts';

export interface RetryOptions {
  /** Time after the first call within which further ones are made. */
  timeoutMs: number;
  /** Pause before each further call; default 1 s. */
  intervalMs?: number;
  /** Default: `isUnavailable`. */
  isRetryable?: (error: unknown) => boolean;
}

/** Repeats a call while it fails with `unavailable`. Fails as the last call did. */
export async function retryWhileUnavailable<T>(
  call: () => Promise<T>,
  { timeoutMs, intervalMs = 1_000, isRetryable = isUnavailable }: RetryOptions,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isRetryable(error) || Date.now() > deadline) throw error;
      await pause(intervalMs);
    }
  }
}

/** True when a service did not respond, so that the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ContractError && error.code === 'unavailable';
}
