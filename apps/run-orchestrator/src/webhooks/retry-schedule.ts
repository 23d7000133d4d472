/** When failed deliveries are attempted again. */
export interface RetrySettings {
  /** The pause after the first attempt; it doubles with each. */
  firstMs: number;
  /** From the first attempt: later than this none is made. */
  totalMs: number;
}

const PAUSE_MS_MAX = 3_600_000;
/** Pauses are up to a fifth shorter or longer, so that those of many runs spread. */
const JITTER = 0.2;

/**
 * The moment of the next attempt after `attempts` of them, or undefined when no time is left. `random`: from 0 to 1.
 */
export function nextAttemptAt(
  { attempts, firstAttemptAt, now }: { attempts: number; firstAttemptAt: Date; now: Date },
  { firstMs, totalMs }: RetrySettings,
  random: number,
): Date | undefined {
  const pause = Math.min(firstMs * 2 ** Math.min(attempts - 1, 30), PAUSE_MS_MAX);
  const next = now.getTime() + pause * (1 - JITTER + 2 * JITTER * random);
  return next > firstAttemptAt.getTime() + totalMs ? undefined : new Date(next);
}
