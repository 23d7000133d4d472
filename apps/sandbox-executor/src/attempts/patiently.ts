import { ContractError } from '@agentclash/contracts';
import { systemClock } from '@agentclash/engine';

const RETRY_MS = 1_000;

/**
 * Asks again while a service is away: one that is gone for a moment must not cost the work. No more when `isWanted`
 * denies that the answer is of use.
 */
export async function patiently<T>(
  call: () => Promise<T>,
  patienceMs: number,
  isWanted: () => boolean = () => true,
): Promise<T> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isAway(error) || !isWanted() || Date.now() > giveUpAt) throw error;
      await systemClock.sleep(RETRY_MS);
    }
  }
}

export function isAway(error: unknown): boolean {
  return error instanceof ContractError && error.code === 'unavailable';
}
