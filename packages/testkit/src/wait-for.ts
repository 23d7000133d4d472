import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** Default 60 s. */
  timeoutMs?: number;
  /** Default 10 ms. */
  intervalMs?: number;
}

type Falsy = false | 0 | '' | null | undefined;

/**
 * Waits until `condition` returns (or resolves to) something truthy, and returns that. An assertion may serve as
 * the condition: what it throws counts as "not yet". After the timeout, fails with the last thing thrown or returned.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 10 }: WaitOptions = {},
): Promise<Exclude<T, Falsy>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const outcome = await attempt(condition);
    if (outcome.isMet) return outcome.value as Exclude<T, Falsy>;
    if (Date.now() >= deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain: ${outcome.reason}`, { cause: outcome.error });
    }
    await delay(intervalMs);
  }
}

type Outcome<T> = { isMet: true; value: T } | { isMet: false; reason: string; error?: unknown };

async function attempt<T>(condition: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    const value = await condition();
    return value ? { isMet: true, value } : { isMet: false, reason: `last it was ${String(value)}` };
  } catch (error) {
    return { isMet: false, reason: error instanceof Error ? error.message : String(error), error };
  }
}
